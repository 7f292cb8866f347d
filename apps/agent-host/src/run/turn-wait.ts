// The wait of one turn for somebody outside: opened before its token is handed over, and given up where the turn ends in
// anything else. It must never keep the token.
import type { ExternalWait, Json } from '#agent-handler';
import { hashSecret, makeSecret } from '#runtime';
import type { TaskKey } from '../store/task-store.ts';
import type { WorkQueue } from '../work/work-queue.ts';
import { checkText } from './check-json.ts';

export interface TurnWaitOptions {
  readonly key: TaskKey;
  /** Absent: waits are kept nowhere. */
  readonly queue: WorkQueue | undefined;
  /** Where results are posted: the token is put behind it. Absent: nowhere. */
  readonly waitsUrl: string | undefined;
  /** This process. */
  readonly askedBy: string;
  /** What is kept with the wait, of the handler's state. */
  readonly kept: (state: Json) => Json;
  /** Is there a `resume` that goes on after it? */
  readonly canResume: boolean;
}

/** A hundred years: no store reckons further. */
const mostMs = 100 * 365 * 86_400_000;

export function hashToken(token: string): string {
  return hashSecret(token).toString('hex');
}

export class TurnWait {
  private openedHash: string | undefined;

  constructor(private readonly options: TurnWaitOptions) {}

  /** Throws `TypeError` where it is none that can be. */
  async open(name: string, forMs: number | undefined): Promise<ExternalWait> {
    const { canResume, key, queue, waitsUrl } = this.options;
    if (checkText(name, 'the name of the wait') === '') throw new TypeError('the name of the wait must not be empty');
    if (forMs !== undefined && !(Number.isSafeInteger(forMs) && forMs > 0 && forMs <= mostMs)) {
      throw new TypeError('forMs must be a whole number of milliseconds, of a hundred years at most');
    }
    if (!canResume) throw new TypeError('the handler has no resume that goes on after the wait');
    if (queue === undefined || waitsUrl === undefined)
      throw new TypeError('waits are kept with queued work, and none is kept here: see --work');
    if (this.openedHash !== undefined) throw new TypeError('a turn has one wait at most, and has opened one before');
    const token = makeSecret();
    this.openedHash = hashToken(token);
    await queue.openWait(key, { name, tokenHash: this.openedHash, ...(forMs !== undefined && { forMs }) });
    return { name, token, url: `${waitsUrl}/${token}` };
  }

  /** The turn ends, and waits. */
  async waitFor({ token }: ExternalWait, state: Json): Promise<void> {
    const { askedBy, kept, key, queue } = this.options;
    const tokenHash = hashToken(token);
    if (queue === undefined || tokenHash !== this.openedHash) {
      throw new TypeError('the handler waits for what its turn has not opened');
    }
    if (!(await queue.waitFor(key, tokenHash, { state: kept(state), askedBy })))
      throw new Error('the wait is over already');
  }

  /** The turn ends in anything else: whoever has the token finishes nothing any more. */
  async giveUp(): Promise<void> {
    if (this.openedHash === undefined) return;
    await this.options.queue?.void(this.options.key);
    this.openedHash = undefined;
  }
}
