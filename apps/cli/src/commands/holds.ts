// `holds`: what the watcher does not decide, and its release, over `/v1/holds`.
import { callApi } from '../api.ts';

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
  for (let cursor = ''; ;) {
    const path = `/v1/holds?limit=1000${all === true ? '' : '&released=false'}${cursor}`;
    const { items, next } = (await callApi('GET', path)) as {
      readonly items: readonly HoldView[];
      readonly next?: string;
    };
    for (const hold of items) process.stdout.write(json === true ? `${JSON.stringify(hold)}\n` : describe(hold));
    if (next === undefined) return;
    cursor = `&cursor=${next}`;
  }
}

export async function releaseHold(position: string, { tenant, takenAt }: ReleaseOptions): Promise<void> {
  const wanted = { ...(tenant !== undefined && { tenant }), ...(takenAt !== undefined && { takenAt }) };
  await callApi('POST', `/v1/holds/${encodeURIComponent(position)}/release`, wanted);
  process.stdout.write(`asked for; \`holds list\` no longer shows ${position} once it is released\n`);
}

function describe({ position, tenant, heldAt, releasedAt, releasedBy, cause }: HoldView): string {
  const released = releasedAt === undefined ? '' : `  released ${releasedAt} by ${releasedBy ?? '?'}`;
  return `${position}  ${tenant ?? 'the whole partition'}  since ${heldAt}${released}  ${cause}\n`;
}
