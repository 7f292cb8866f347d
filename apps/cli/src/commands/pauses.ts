// `pauses`: dispatch held for a while, over `/v1/pauses`.
import { formatInstant, parseDuration, addDuration } from '#expectations';
import { systemClock } from '#runtime';
import { callApi, callPages } from '../api.ts';
import { CommandError, ExitCode } from '../exit-code.ts';

interface PauseView {
  readonly pauseId: string;
  readonly state: string;
  readonly scope: {
    readonly agentId?: string;
    readonly kind?: string;
    readonly subject?: { readonly type: string; readonly id: string };
  };
  readonly reason: string;
  readonly from: string;
  readonly until: string;
  readonly by: string;
  readonly endedAt?: string;
  readonly endedBy?: string;
}

type Answer = PauseView | { readonly position: string };

export interface ListOptions {
  readonly state?: string;
  readonly json?: true;
}

export interface StartOptions {
  readonly reason: string;
  readonly until?: string;
  readonly for?: string;
  readonly from?: string;
  readonly agent?: string;
  readonly kind?: string;
  readonly subjectType?: string;
  readonly subjectId?: string;
  readonly json?: true;
}

/** All of them, page by page, the latest first. */
export async function listPauses({ state, json }: ListOptions): Promise<void> {
  for await (const pause of callPages<PauseView>('/v1/pauses', { ...(state && { state }) })) {
    process.stdout.write(json === true ? `${JSON.stringify(pause)}\n` : describe(pause));
  }
}

/** The same again changes nothing. Throws `CommandError`. */
export async function startPause(pauseId: string, options: StartOptions): Promise<void> {
  const { reason, from, agent, kind, json } = options;
  const answer = (await callApi('POST', '/v1/pauses', {
    pauseId,
    scope: {
      ...(agent !== undefined && { agentId: agent }),
      ...(kind !== undefined && { kind }),
      ...subjectOf(options),
    },
    reason,
    ...(from !== undefined && { from }),
    until: untilOf(options),
  })) as Answer;
  tell(answer, json);
}

/** Ends it before its time. Throws `CommandError` where there is none. */
export async function endPause(pauseId: string, { json }: { readonly json?: true }): Promise<void> {
  tell((await callApi('DELETE', `/v1/pauses/${encodeURIComponent(pauseId)}`)) as Answer, json);
}

function subjectOf({ subjectType, subjectId }: StartOptions): { readonly subject?: object } {
  if (subjectType === undefined && subjectId === undefined) return {};
  if (subjectType === undefined || subjectId === undefined) {
    throw new CommandError(ExitCode.wrongUse, '--subject-type and --subject-id go together');
  }
  return { subject: { type: subjectType, id: subjectId } };
}

function untilOf({ until, for: lasting, from }: StartOptions): string {
  if (until !== undefined && lasting === undefined) return until;
  if (until !== undefined || lasting === undefined || from !== undefined) {
    throw new CommandError(ExitCode.wrongUse, 'either --until says when it ends, or --for how long from now');
  }
  const duration = parseDuration(lasting);
  if (duration === undefined) {
    throw new CommandError(ExitCode.wrongUse, '--for must be an ISO 8601 duration, such as PT4H');
  }
  return formatInstant(addDuration(systemClock.now(), duration));
}

function tell(answer: Answer, json: true | undefined): void {
  const text = 'position' in answer ? `not seen yet: asked at ${answer.position}\n` : describe(answer);
  process.stdout.write(json === true ? `${JSON.stringify(answer)}\n` : text);
}

/** Texts of strangers are shown as JSON: nothing in them moves a terminal. */
function describe({ pauseId, state, scope, reason, from, until, by, endedAt, endedBy }: PauseView): string {
  const { agentId, kind, subject } = scope;
  const parts = [
    ...(agentId === undefined ? [] : [`agent ${JSON.stringify(agentId)}`]),
    ...(kind === undefined ? [] : [`kind ${JSON.stringify(kind)}`]),
    ...(subject === undefined ? [] : [`subject ${JSON.stringify(subject.type)} ${JSON.stringify(subject.id)}`]),
  ];
  const what = parts.length === 0 ? 'the whole tenant' : parts.join(', ');
  const end = endedAt === undefined ? '' : `  ended ${endedAt} by ${JSON.stringify(endedBy)}`;
  return `${JSON.stringify(pauseId)}  ${state}  ${from} to ${until}${end}  ${what}  by ${JSON.stringify(by)}: ${JSON.stringify(reason)}\n`;
}
