// Leads a lapse to who answers for it (Expectations §10.2), by the kind of lapse and the kind of what lapsed.
import { strict as assert } from 'node:assert';
import type { LapseKind } from '#expectations';
import { type Lapse, type LapseCarrier, readLapse } from './lapse.ts';

/** Which lapses: of one kind of lapse, of one kind of expectation, or both. */
export interface WhichLapses {
  readonly lapse?: LapseKind;
  readonly kind?: string;
}

export type LapseHandler<Given extends readonly unknown[], Answer> = (lapse: Lapse, ...given: Given) => Answer;

export type Routed<Answer> =
  | { readonly answer: Answer }
  /** The message is no lapse: it is anybody's. */
  | { readonly passed: true }
  /** It is one that cannot be answered for, and why: to be rejected. */
  | { readonly malformed: string };

export class LapseRouter<Given extends readonly unknown[] = [], Answer = void> {
  private readonly routes: { readonly which: WhichLapses; readonly handler: LapseHandler<Given, Answer> }[] = [];

  /** `overdue` answers for what nobody else does: whatever has no handler, and kinds of lapse that are not known (§15). */
  constructor(overdue: LapseHandler<Given, Answer>) {
    this.routes.push({ which: {}, handler: overdue });
  }

  /** The most particular handler is taken; of two alike, the later. */
  onLapse(which: LapseKind | WhichLapses, handler: LapseHandler<Given, Answer>): this {
    this.routes.push({ which: typeof which === 'string' ? { lapse: which } : which, handler });
    return this;
  }

  /** Leads a message on; what is `given` goes to the handler beside the lapse. Throws what the handler throws. */
  route(message: LapseCarrier, ...given: Given): Routed<Answer> {
    const read = readLapse(message);
    if (read === undefined) return { passed: true };
    return 'malformed' in read ? read : { answer: this.handlerFor(read.lapse)(read.lapse, ...given) };
  }

  private handlerFor({ lapse, kind }: Lapse): LapseHandler<Given, Answer> {
    const fitting = this.routes.filter(
      ({ which }) => (which.lapse ?? lapse) === lapse && (which.kind ?? kind) === kind,
    );
    const best = Math.max(...fitting.map(({ which }) => particularity(which)));
    const taken = fitting.findLast(({ which }) => particularity(which) === best);
    assert.ok(taken !== undefined, 'the first route is for every lapse');
    return taken.handler;
  }
}

/** What is said of the expectation's kind is more particular than what is said of the kind of lapse. */
function particularity({ lapse, kind }: WhichLapses): number {
  return (kind === undefined ? 0 : 2) + (lapse === undefined ? 0 : 1);
}
