// A handler for an agent host, made of what the agent does and of who answers for its lapses.
import { createHash } from 'node:crypto';
import type { LapseKind } from '#expectations';
import { EXTENSION_URI } from '#protocol/pure';
import { type Answer, answerIdOf, type Eventually } from './answer.ts';
import type { ExtensionEntry } from './card-declaration.ts';
import type { Expectations } from './expectations.ts';
import { extensionJson } from './extension-schema.ts';
import type { Lapse } from './lapse.ts';
import { LapseRouter, type WhichLapses } from './lapse-router.ts';
import { answerOf } from './routed-answer.ts';
import type { ServedArtifact, ServedCarrier, ServedOutcome, ServedTurn } from './served-turn.ts';
import type { TaskBlock } from './task-block.ts';

/** What a turn comes to: an answer, or an outcome of the host's own, whose form is the host's. */
export type Comes = Answer | HostOutcome;

export interface HostOutcome {
  readonly outcome: string;
}

export type OutcomeOf<Came extends Comes> = Exclude<Came, Answer>;

/** What the agent does with a message that is no lapse. */
export type ServedWork<Kind extends string, Turn, Came extends Comes> = (
  task: TaskBlock<Kind>,
  turn: Turn,
) => Eventually<Came>;

/** What it does with a lapse, in a task of the lapse's own. */
export type ServedLapseWork<Kind extends string, Turn, Came extends Comes> = (
  lapse: Lapse,
  task: TaskBlock<Kind>,
  turn: Turn,
) => Eventually<Came>;

/** Its members are those of the agent host's `AgentHandler`: it may be spread among others. */
export interface KitHandler<Kind extends string, Turn, Outcome extends HostOutcome> {
  /** What the card declares. */
  readonly extensions: readonly ExtensionEntry[];
  /** The extension's JSON Schemas, at the path of its URI (Appendix A). */
  readonly documents: Readonly<Record<string, object>>;
  /** A lapse that is malformed is rejected, in its task. Rejects where the work does: the host then fails the task. */
  readonly handle: (turn: Turn) => Promise<ServedOutcome | Outcome | undefined>;
  readonly onLapse: (
    which: LapseKind | WhichLapses,
    handler: ServedLapseWork<Kind, Turn, Answer | Outcome>,
  ) => KitHandler<Kind, Turn, Outcome>;
}

/** `overdue` answers for every lapse that `onLapse` leads to nobody else. */
export function kitHandler<Kind extends string, Turn extends ServedTurn, Outcome extends HostOutcome>(
  expectations: Expectations<Kind>,
  work: ServedWork<Kind, Turn, Comes>,
  overdue: ServedLapseWork<Kind, Turn, Comes>,
): KitHandler<Kind, Turn, Outcome> {
  const lapses = new LapseRouter<[TaskBlock<Kind>, Turn], Eventually<Comes>>(overdue);
  const comesOf = (task: TaskBlock<Kind>, turn: Turn): Eventually<Comes> => {
    const { messageId, metadata, referenceTaskIds } = turn.message;
    const { contextId } = turn.session;
    const routed = lapses.route({ messageId, contextId, referenceTaskIds, metadata }, task, turn);
    return answerOf(routed, () => work(task, turn));
  };
  const handler: KitHandler<Kind, Turn, Outcome> = {
    extensions: [expectations.extension],
    documents: { [`${new URL(EXTENSION_URI).pathname}/extension.json`]: extensionJson },
    // Neither the work nor who answers for lapses ends in an outcome of another form.
    handle: (turn) => answered(expectations, turn, (task) => comesOf(task, turn) as Eventually<Answer | Outcome>),
    onLapse: (which, answerFor) => {
      lapses.onLapse(which, answerFor);
      return handler;
    },
  };
  return handler;
}

/** Does the work of a turn, and tells its answer and what its block says. */
export async function answered<Kind extends string, Came extends Comes>(
  expectations: Expectations<Kind>,
  turn: ServedTurn,
  work: (task: TaskBlock<Kind>) => Eventually<Came>,
): Promise<ServedOutcome | OutcomeOf<Came> | undefined> {
  const { taskId, extensions, session, message } = turn;
  const isActivated = extensions.includes(EXTENSION_URI);
  const of = { taskId, contextId: session.contextId, messageId: message.messageId, isActivated };
  const task = expectations.inTask(of);
  const came: Comes = await work(task);
  if (typeof came === 'object' && 'outcome' in came) {
    await tellLeft(turn, task);
    return came as OutcomeOf<Came>;
  }
  return tell(turn, task, came);
}

async function tell(turn: ServedTurn, task: TaskBlock, answer: Answer): Promise<ServedOutcome | undefined> {
  if (typeof answer === 'string') {
    const artifact = task.on<ServedArtifact>(named(turn, { parts: [{ text: answer }] }));
    // Without a block it may be a Message; what is expected is a Task's to say (§8).
    await (artifact.metadata === undefined ? turn.say(answer) : turn.artifact(artifact));
    return undefined;
  }
  if ('ask' in answer) return { outcome: 'inputRequired', message: answer.ask, ...task.on({}) };
  if ('reject' in answer) return { outcome: 'rejected', message: answer.reject };
  if ('fail' in answer) return { outcome: 'failed', message: answer.fail };
  const [first = { parts: [] }, ...rest] = answer.artifacts;
  for (const [index, artifact] of [task.on(first), ...rest].entries()) {
    await turn.artifact(named(turn, artifact, index));
  }
  return answer.text === undefined ? undefined : { outcome: 'completed', message: answer.text };
}

/** What is said before the host's own outcome: under an id of its own, for the task may go on in another turn. */
async function tellLeft(turn: ServedTurn, task: TaskBlock): Promise<void> {
  const carried = task.on<ServedCarrier>({});
  if (carried.metadata === undefined) return;
  const hash = createHash('sha256').update(JSON.stringify(carried)).digest('hex').slice(0, 16);
  const artifactId = `${turn.message.messageId}:expected-${hash}`;
  await turn.artifact({ artifactId, parts: [{ text: 'What this task expects.' }], ...carried });
}

function named({ message }: ServedTurn, artifact: object, index = 0): ServedArtifact {
  return { artifactId: answerIdOf(message.messageId, index), parts: [], ...artifact };
}
