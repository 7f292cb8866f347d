// "Understand when a Task exists": what a caller is answered, by how it asked and what came of it. The table, and nothing else.

/** How the message came: blocking, as a stream, with `returnImmediately`. */
export type Interaction = 'blocking' | 'streaming' | 'immediate';

/** What a turn has come to; `reporting` is what a Message cannot tell: an artifact of its own, a task that was asked for. */
export type TurnCame = 'begun' | 'finished' | 'reporting' | 'toInput' | 'toDurableWait';

export type Exists =
  /** Nothing yet. */
  | 'nothing'
  | 'message'
  /** A Task that callers can look up, follow and cancel. */
  | 'trackedTask'
  | 'inputRequiredTask'
  /** A Task without a run: it survives the process where its store does. */
  | 'persistedTask';

const always: Readonly<Record<TurnCame, Exists>> = {
  begun: 'trackedTask',
  finished: 'trackedTask',
  reporting: 'trackedTask',
  toInput: 'inputRequiredTask',
  toDurableWait: 'persistedTask',
};

const table: Readonly<Record<Interaction, Readonly<Record<TurnCame, Exists>>>> = {
  blocking: { ...always, begun: 'nothing', finished: 'message' },
  streaming: always,
  immediate: always,
};

export function whenTaskExists(interaction: Interaction, came: TurnCame): Exists {
  return table[interaction][came];
}

/** Is there a Task from here on? */
export function isTracked(interaction: Interaction, came: TurnCame): boolean {
  return !['nothing', 'message'].includes(whenTaskExists(interaction, came));
}
