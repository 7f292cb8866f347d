// `quarantine`: over `/v1/quarantine`, like anyone else.
import { callApi, callPages } from '../api.ts';

interface QuarantinedFactView {
  readonly id: string;
  readonly receivedAt: string;
  readonly reporter: string;
  readonly fact: { readonly factKey?: unknown; readonly observedAt?: unknown };
  readonly reason: string;
  readonly state: string;
  readonly settledAt?: string;
  readonly settledBy?: string;
  readonly discardReason?: string;
}

interface ReleaseAnswer {
  readonly results?: readonly {
    readonly outcome: string;
    readonly message?: string;
    readonly satisfied: readonly unknown[];
  }[];
  readonly position: string;
}

export interface ListOptions {
  readonly state?: string;
  readonly json?: true;
}

/** All of them, page by page. */
export async function listQuarantine({ state, json }: ListOptions): Promise<void> {
  const query = { ...(state && { state }) };
  for await (const fact of callPages<QuarantinedFactView>('/v1/quarantine', query)) {
    process.stdout.write(json === true ? `${JSON.stringify(fact)}\n` : describe(fact));
  }
}

export async function releaseFact(id: string, { json }: { readonly json?: true }): Promise<void> {
  const answer = (await callApi('POST', `/v1/quarantine/${encodeURIComponent(id)}/release`)) as ReleaseAnswer;
  const result = answer.results?.[0];
  const became =
    result === undefined
      ? `not decided yet: /v1/decisions/${answer.position} will tell`
      : [result.outcome, result.message, `${result.satisfied.length} satisfied`].filter(Boolean).join(', ');
  process.stdout.write(json === true ? `${JSON.stringify(answer)}\n` : `released ${id}: ${became}\n`);
}

export async function discardFact(id: string, { reason }: { readonly reason: string }): Promise<void> {
  await callApi('POST', `/v1/quarantine/${encodeURIComponent(id)}/discard`, { reason });
  process.stdout.write(`discarded ${id}\n`);
}

/** Texts of strangers are shown as JSON: nothing in them moves a terminal. */
function describe({ id, receivedAt, reporter, fact, reason, state, ...settled }: QuarantinedFactView): string {
  const why = settled.discardReason === undefined ? '' : `: ${JSON.stringify(settled.discardReason)}`;
  const end = settled.settledBy === undefined ? '' : ` by ${settled.settledBy} at ${settled.settledAt ?? ''}${why}`;
  const what = [reporter, fact.factKey, fact.observedAt].map((text) => JSON.stringify(text)).join('  ');
  return `${id}  ${receivedAt}  ${what}  ${reason}  ${state}${end}\n`;
}
