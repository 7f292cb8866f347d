// `agents`: who is registered, and what is known of each, over `/v1/agents`.
import { callApi, callPages } from '../api.ts';

interface DispatchView {
  readonly dedupes: string;
  readonly ratePerMinute?: number;
  readonly probe?: { readonly dedupes: string; readonly cause?: string; readonly probedAt: string };
}

interface TroubleView {
  readonly unfollowed?: {
    readonly count: number;
    readonly cause: string;
    readonly message: string;
    readonly since: string;
  };
  readonly untoldReminders?: {
    readonly count: number;
    readonly cause: string;
    readonly message: string;
    readonly lastAt: string;
  };
  readonly echoMissing?: { readonly lastSeenAt: string; readonly interface: string; readonly url: string };
}

interface AgentView {
  readonly agentId: string;
  readonly cardUrl: string;
  readonly findings: readonly { readonly severity: string; readonly message: string }[];
  readonly updatedAt: string;
  readonly dispatch: DispatchView;
  readonly reminders?: { readonly beforeDue?: string; readonly lapsed?: true };
  readonly trouble?: TroubleView;
}

export interface AgentOptions {
  readonly json?: true;
}

export async function listAgents({ json }: AgentOptions): Promise<void> {
  for await (const agent of callPages<AgentView>('/v1/agents')) {
    process.stdout.write(json === true ? `${JSON.stringify(agent)}\n` : `${lineOf(agent)}\n`);
  }
}

export async function showAgent(agentId: string, { json }: AgentOptions): Promise<void> {
  const agent = (await callApi('GET', pathOf(agentId))) as AgentView;
  const { findings, trouble = {}, dispatch, reminders = {} } = agent;
  const lines = [
    lineOf(agent),
    ...findings.map(findingOf),
    ...troublesOf(trouble),
    describe(dispatch),
    remindedOf(reminders),
    '',
  ];
  process.stdout.write(json === true ? `${JSON.stringify(agent)}\n` : lines.join('\n'));
}

/** Has the agent sent one harmless message, twice. */
export async function probeAgent(agentId: string, { json }: AgentOptions): Promise<void> {
  const probed = (await callApi('POST', `${pathOf(agentId)}/probe`)) as Pick<AgentView, 'agentId' | 'dispatch'>;
  process.stdout.write(`${json === true ? JSON.stringify(probed) : describe(probed.dispatch)}\n`);
}

function pathOf(agentId: string): string {
  return `/v1/agents/${encodeURIComponent(agentId)}`;
}

function lineOf({ agentId, cardUrl, findings, updatedAt, dispatch, trouble }: AgentView): string {
  const found = findings.length === 0 ? '' : `  findings ${findings.length}`;
  const { unfollowed } = trouble ?? {};
  const lost = unfollowed === undefined ? '' : `  cannot be followed ${unfollowed.count}`;
  return `${agentId}  ${cardUrl}  registered ${updatedAt}  dedupes ${dispatch.dedupes}${found}${lost}`;
}

function troublesOf({
  unfollowed: lost,
  echoMissing: missed,
  untoldReminders: untold,
}: TroubleView): readonly string[] {
  return [
    ...(lost === undefined
      ? []
      : [`  cannot be followed since ${lost.since}: ${lost.count} tasks, ${lost.cause} (${lost.message})`]),
    ...(missed === undefined
      ? []
      : [`  does not echo the extension: last at ${missed.lastSeenAt}, at ${missed.url} (${missed.interface})`]),
    ...(untold === undefined
      ? []
      : [`  was not told ${untold.count} reminders, last at ${untold.lastAt}: ${untold.cause} (${untold.message})`]),
  ];
}

function findingOf({ severity, message }: AgentView['findings'][number]): string {
  return `  ${severity}: ${message}`;
}

function describe({ dedupes, ratePerMinute, probe }: DispatchView): string {
  const rate = ratePerMinute === undefined ? '' : `, at most ${ratePerMinute} calls a minute`;
  const cause = probe?.cause === undefined ? '' : ` (${probe.cause})`;
  const probed = probe === undefined ? ', never probed' : `, probed ${probe.probedAt}: ${probe.dedupes}${cause}`;
  return `dedupes ${dedupes}${rate}${probed}`;
}

function remindedOf({ beforeDue, lapsed }: NonNullable<AgentView['reminders']>): string {
  const soon = beforeDue === undefined ? [] : [`${beforeDue} before something is due`];
  const told = [...soon, ...(lapsed === true ? ['of what has lapsed'] : [])];
  return `reminded in its running tasks ${told.length === 0 ? 'of nothing' : told.join(', and ')}`;
}
