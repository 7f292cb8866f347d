import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { withinTime } from './within-time.ts';

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Waits as `fetch` does: until the signal aborts. */
const forever = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));

const never = new AbortController().signal;

describe('a call within time', () => {
  it('ends when its time is over, whatever garbage is collected meanwhile', async () => {
    const ended = withinTime(200, never, forever);
    const collecting = setInterval(collectGarbage, 10);
    await expect(ended).rejects.toMatchObject({ name: 'TimeoutError' });
    clearInterval(collecting);
  });

  it('ends with the signal, before and while it runs', async () => {
    await expect(
      withinTime(60_000, AbortSignal.abort('gone'), (signal) => Promise.reject(signal.reason as Error)),
    ).rejects.toBe('gone');
    const stopping = new AbortController();
    const ended = withinTime(60_000, stopping.signal, forever);
    stopping.abort('stopped');
    await expect(ended).rejects.toBe('stopped');
  });

  it('answers what the call answers, and throws what it throws', async () => {
    await expect(withinTime(60_000, never, () => Promise.resolve(7))).resolves.toBe(7);
    await expect(withinTime(60_000, undefined, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  });
});
