// `up`: everything in one process, until it is told to end.
import { type Demo, startDemo } from '../demo/demo.ts';
import { remakeInProcess } from '../demo/demo-keys.ts';
import { type Embedded, startEmbedded } from '../embedded/embedded.ts';
import { runToEnd } from '../process/run-to-end.ts';
import { keepHeapSmall } from '../small-heap.ts';

/** Resolves once it has stopped in order. Throws what it cannot start after. */
export async function up(isDemo: boolean): Promise<void> {
  keepHeapSmall();
  await runToEnd(startEmbedded, async (embedded, ending) => {
    say(embedded);
    const demo = isDemo && !ending.hasBegun ? await startDemoBeside(embedded) : undefined;
    await ending.promise.finally(() => demo?.stop());
  });
}

function startDemoBeside({ url, keys }: Embedded): Promise<Demo> {
  return startDemo({
    url,
    remakeKey: (grant) => remakeInProcess(keys, grant),
    onGone: (what) => process.stdout.write(`${what}; Duewatch goes on without it\n`),
  });
}

/** For the person at the terminal; the log goes on as JSON lines. */
function say({ url, firstKey }: Embedded): void {
  const lines =
    firstKey === undefined
      ? [`Duewatch is at ${url}. Its page takes a key after the address: ${url}/#key=…`]
      : [
          `Duewatch is at ${url}`,
          `The first key, shown this once: ${firstKey}`,
          `Its page: ${url}/#key=${firstKey}`,
          `A try: curl -H "authorization: Bearer ${firstKey}" ${url}/v1/expectations`,
        ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
