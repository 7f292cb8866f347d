// `agents cards` and `agents read`: the versions of an agent's card, and reading it now, over `/v1/agents`.
import { callApi, callPages } from '../api.ts';

interface FindingView {
  readonly severity: string;
  readonly code: string;
  readonly path: string;
  readonly message: string;
  readonly paragraph: string;
}

interface CardVersionView {
  readonly version: number;
  readonly readAt: string;
  readonly changes?: Readonly<Record<string, readonly string[]>>;
  readonly findings: readonly FindingView[];
}

/** Where the log is slow to decide, all that is known yet is that it was told: nothing is here. */
interface ReadAgentView {
  readonly read?: string;
  readonly card?: { readonly version: number };
  readonly findings?: readonly FindingView[];
}

/** The versions that are kept, the newest first. */
export async function listCards(agentId: string, isJson: boolean): Promise<void> {
  // Asked first: an agent that is not there has no versions either.
  await callApi('GET', pathOf(agentId));
  for await (const version of callPages<CardVersionView>(`${pathOf(agentId)}/cards`)) {
    process.stdout.write(isJson ? `${JSON.stringify(version)}\n` : describe(version));
  }
}

/** Reads the card now. Throws `CommandError` where it cannot be read. */
export async function readCard(agentId: string, isJson: boolean): Promise<void> {
  const agent = (await callApi('POST', `${pathOf(agentId)}/card/read`)) as ReadAgentView;
  if (isJson) return void process.stdout.write(`${JSON.stringify(agent)}\n`);
  const version = agent.card === undefined ? '' : `, version ${agent.card.version}`;
  process.stdout.write(`${agent.read ?? 'changed, and not decided yet'}${version}\n`);
  for (const finding of agent.findings ?? []) process.stdout.write(describeFinding(finding));
}

/** One finding as a line for a person. */
export function describeFinding({ severity, code, path, message, paragraph }: FindingView): string {
  return `${severity}  ${paragraph}  ${code}  ${path}\n    ${message}\n`;
}

function describe({ version, readAt, changes, findings }: CardVersionView): string {
  const changed = Object.entries(changes ?? {}).map(([what, names]) => `${what}: ${names.join(', ')}`);
  const what = changes === undefined ? 'the first' : changed.join('; ') || 'nothing that is declared';
  return `${version}  ${readAt}  ${what}\n${findings.map((finding) => `  ${finding.severity} ${finding.code}\n`).join('')}`;
}

function pathOf(agentId: string): string {
  return `/v1/agents/${encodeURIComponent(agentId)}`;
}
