// The watcher's own judgement, before anything is sent: one fresh state of the core, told what this task says.
// It can know no more than the agent does: not what was satisfied meanwhile, nor what other tasks have open.
import { decide, type Event, formatInstant, type Refusal, type RefusalCode, State } from '#expectations';
import {
  type Block,
  type Declaration,
  EXTENSION_URI,
  itemFault,
  type ItemPart,
  jsonBytes,
  limits,
} from '#protocol/pure';
import type { Expectation, Fact } from './expectation.ts';

const agentId = 'agent';

/** A watcher would not record it: a bug of the agent's, or no more time for what has had it often enough (§10.3). */
export class ExpectationRefusedError extends Error {
  override readonly name = 'ExpectationRefusedError';
  readonly retryable = false;
  readonly code: RefusalCode;
  constructor(
    readonly expectationId: string | undefined,
    refusal: Refusal,
  ) {
    super(`${expectationId ?? 'it'} would be refused (${refusal.code}): ${refusal.message}`);
    this.code = refusal.code;
  }
}

export class CoreJudge {
  private readonly state = new State();
  private readonly at: string;
  private readonly known = new Set<string>();
  private ancestorsCount = 0;
  private left = limits.blockBytes as number;
  private readonly counts = { expectations: 0, facts: 0 };

  /** `nowMs` is the only time it knows: nothing it judges depends on time going on. */
  constructor(
    private readonly taskId: string,
    declaration: Declaration,
    private readonly lineageBound: number,
    nowMs: number,
  ) {
    this.at = formatInstant(nowMs);
    decide(this.state, { type: 'configured', at: this.at, settings: { lineageBound } });
    decide(this.state, { type: 'agentDeclared', at: this.at, agentId, params: declaration });
  }

  /** The refusal, or undefined where it is recorded or was before, as it is. */
  expectation(expectation: Expectation): Refusal | undefined {
    const fault = this.faultOf(expectation, 'expectations');
    if (fault !== undefined) return { code: 'invalid', message: fault };
    for (const event of this.tell({ expectations: [expectation] })) {
      if (event.type === 'expectationRefused') return { code: event.code, message: event.message };
    }
    this.take(expectation, 'expectations');
    this.known.add(expectation.expectationId);
    return undefined;
  }

  /** Likewise of a fact that the agent reports. */
  fact(fact: Fact): Refusal | undefined {
    const fault = this.faultOf(fact, 'facts');
    if (fault !== undefined) return { code: 'invalid', message: fault };
    const input = { type: 'factReported', at: this.at, reporter: '', fact } as const;
    const [event] = decide(new State(), input);
    if (event?.type === 'factRefused') return { code: 'invalid', message: event.message };
    this.take(fact, 'facts');
    return undefined;
  }

  /**
   * Makes known what an earlier task raised, with as many ancestors as it has: what supersedes it is then judged as the
   * watcher will. What those ancestors said is not known.
   */
  know(raised: Omit<Expectation, 'supersedes' | 'anchor' | 'after'>, lineage: number): void {
    if (this.known.has(raised.expectationId)) return;
    this.known.add(raised.expectationId);
    let supersedes: string | undefined;
    for (let count = 0; count < Math.min(lineage, this.lineageBound); count += 1) {
      // No agent can raise such an id or wait for such a key, so they are nobody's.
      const expectationId = `\0${(this.ancestorsCount += 1)}`;
      const ancestor = { ...raised, expectationId, satisfiedBy: { factKey: expectationId } };
      this.tell({ expectations: [{ ...ancestor, ...(supersedes !== undefined && { supersedes }) }] });
      supersedes = expectationId;
    }
    this.tell({ expectations: [{ ...raised, ...(supersedes !== undefined && { supersedes }) }] });
  }

  /** What was taken is carried now, with these withdrawals; facts are applied last, as the watcher does. */
  carry(withdraw: readonly string[], facts: readonly Fact[]): void {
    this.tell({ withdraw, facts });
    this.left = limits.blockBytes;
    this.counts.expectations = this.counts.facts = 0;
  }

  private tell(block: Block): readonly Event[] {
    const artifact = { metadata: { [EXTENSION_URI]: block } };
    const of = { agentId, taskId: this.taskId, contextId: '' };
    return decide(this.state, { type: 'artifactObserved', at: this.at, ...of, artifact });
  }

  private faultOf(item: object, part: ItemPart): string | undefined {
    if (this.counts[part] >= limits.blockItemsCount) return 'is past the 1,000 that one artifact or message may carry';
    const fault = itemFault(item, part);
    if (fault !== undefined) return fault;
    return jsonBytes(item) > this.left ? 'is past the 512 kB that one artifact or message may carry' : undefined;
  }

  private take(item: object, part: ItemPart): void {
    this.left -= jsonBytes(item);
    this.counts[part] += 1;
  }
}
