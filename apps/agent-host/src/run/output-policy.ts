// What of a turn is told, and under which name: the handler's output policy with its defaults.
import type { Activity, Json, ModelUsage, OutputPolicy } from '#agent-handler';

export type Told = Readonly<Record<string, unknown>>;

interface Tokens {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export class TellingPolicy {
  private readonly policy: Required<OutputPolicy>;
  private tokens: Tokens | undefined;

  constructor(
    policy: OutputPolicy = {},
    /** To whom answers are attributed. */
    private readonly agent: string,
  ) {
    this.policy = {
      namespace: policy.namespace ?? 'harnest',
      thinking: policy.thinking ?? false,
      decisionResults: policy.decisionResults ?? false,
      agentActivity: policy.agentActivity ?? true,
      agentMetadata: policy.agentMetadata ?? 'normalized',
    };
  }

  /** Each answers with the metadata of a working status, or undefined where it is not told. */
  thinking(): Told | undefined {
    return this.policy.thinking ? this.under({ type: 'thinking' }) : undefined;
  }

  decision(value: Json): Told | undefined {
    return this.policy.decisionResults ? this.under({ type: 'decision_result', value }) : undefined;
  }

  activity({ agent, node, phase }: Activity): Told | undefined {
    if (!this.policy.agentActivity) return undefined;
    return this.under({ type: 'agent_activity', agent, ...(node !== undefined && { node }), phase });
  }

  usage({ model, inputTokens, outputTokens }: ModelUsage, raw: Json | undefined): Told | undefined {
    const { inputTokens: inSoFar, outputTokens: outSoFar } = this.tokens ?? { inputTokens: 0, outputTokens: 0 };
    this.tokens = { inputTokens: inSoFar + inputTokens, outputTokens: outSoFar + outputTokens };
    const { agentMetadata } = this.policy;
    if (agentMetadata === 'suppress') return undefined;
    const isRaw = agentMetadata === 'raw' && raw !== undefined;
    return this.under({ type: 'agent_metadata', model, inputTokens, outputTokens, ...(isRaw && { raw }) });
  }

  /** Of the answer: whose it is and, at its end, what it took. */
  ofAnswer(isEnd: boolean): Told {
    const isTold = isEnd && this.tokens !== undefined && this.policy.agentMetadata !== 'suppress';
    return this.under({ agent: this.agent, ...(isTold && { agent_metadata: this.tokens }) });
  }

  private under(told: Told): Told {
    return { [this.policy.namespace]: told };
  }
}
