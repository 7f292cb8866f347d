// `holds`: what the watcher does not decide, and its release, over `/v1/holds`.
import { systemClock } from '#runtime';
import { callApi, callPages } from '../api.ts';
import { CommandError, ExitCode } from '../exit-code.ts';

const WAIT_MS = 100;
const MOST_WAIT_MS = 10_000;

interface HoldView {
  readonly position: string;
  readonly tenant?: string;
  readonly cause: string;
  readonly heldAt: string;
  readonly releasedAt?: string;
  readonly releasedBy?: string;
}

export interface ListOptions {
  readonly all?: true;
  readonly json?: true;
}

export interface ReleaseOptions {
  readonly tenant?: string;
  readonly takenAt?: string;
}

/** What is held now, or ever was. */
export async function listHolds({ all, json }: ListOptions): Promise<void> {
  for (const hold of await readHolds(all === true)) {
    process.stdout.write(json === true ? `${JSON.stringify(hold)}\n` : describe(hold));
  }
}

/** Asks for each release, and waits a while until it is done. Throws `CommandError` where it is not held, or stays so. */
export async function releaseHolds(positions: readonly string[], options: ReleaseOptions): Promise<void> {
  const { tenant, takenAt } = options;
  const isAsked = (hold: HoldView): boolean => positions.includes(hold.position) && hold.tenant === tenant;
  const held = (await readHolds(false)).filter(isAsked);
  const unknown = positions.find((position) => !held.some((hold) => hold.position === position));
  if (unknown !== undefined) {
    const what = tenant === undefined ? 'no whole partition' : `no tenant ${tenant}`;
    throw new CommandError(ExitCode.notSo, `${what} is held at ${unknown}: see \`holds list\``);
  }
  const wanted = { ...(tenant !== undefined && { tenant }), ...(takenAt !== undefined && { takenAt }) };
  for (const { position } of held) {
    await callApi('POST', `/v1/holds/${encodeURIComponent(position)}/release`, wanted);
  }
  const deadline = systemClock.now() + MOST_WAIT_MS;
  let left = held;
  while (left.length > 0 && systemClock.now() < deadline) {
    await systemClock.sleep(WAIT_MS);
    left = (await readHolds(false)).filter(isAsked);
  }
  const [first] = left;
  if (first !== undefined) {
    throw new CommandError(ExitCode.notSo, `${first.position} is still held: the watcher's log says why`);
  }
  process.stdout.write(`released ${positions.join(' ')}\n`);
}

async function readHolds(all: boolean): Promise<readonly HoldView[]> {
  const holds: HoldView[] = [];
  for await (const hold of callPages<HoldView>('/v1/holds', all ? {} : { released: 'false' })) holds.push(hold);
  return holds;
}

function describe({ position, tenant, heldAt, releasedAt, releasedBy, cause }: HoldView): string {
  const released = releasedAt === undefined ? '' : `  released ${releasedAt} by ${releasedBy ?? '?'}`;
  return `${position}  ${tenant ?? 'the whole partition'}  since ${heldAt}${released}  ${cause}\n`;
}
