// The kit's one object: made once from the table of kinds, it makes the card's declaration and what each task says.
import { type Clock, systemClock } from './clock.ts';
import {
  checkKinds,
  type DeclarableCard,
  declaredOn,
  type ExtensionEntry,
  extensionEntryOf,
} from './card-declaration.ts';
import type { Eventually } from './answer.ts';
import {
  answered,
  type Comes,
  type KitHandler,
  kitHandler,
  type OutcomeOf,
  type ServedLapseWork,
  type ServedWork,
} from './kit-handler.ts';
import { KitExecutor, type LapseWork, type Work } from './kit-executor.ts';
import type { Definition } from './kinds.ts';
import type { ServedOutcome, ServedTurn } from './served-turn.ts';
import { TaskBlock, type TaskAtWork } from './task-block.ts';

export class Expectations<Kind extends string = string> {
  constructor(
    readonly definition: Definition<Kind>,
    private readonly clock: Clock,
  ) {
    checkKinds(definition);
  }

  /** The entry of the card's `capabilities.extensions`. */
  get extension(): ExtensionEntry {
    return extensionEntryOf(this.definition);
  }

  /** The card with the declaration on it. Throws a `DeclarationError` where the two go against the specification. */
  declareOn<Card extends DeclarableCard>(card: Card): Card {
    return declaredOn(card, this.definition);
  }

  /**
   * An executor for the SDK: `work` answers messages, `overdue` answers for lapses, unless its `onLapse` leads them to
   * somebody else.
   */
  executor(work: Work<Kind>, overdue: LapseWork<Kind>): KitExecutor<Kind> {
    return new KitExecutor(this, work, overdue, this.clock);
  }

  /** Likewise a handler for an agent host; its turns, and what they end in, are the host's. */
  handler<Turn extends ServedTurn, const Worked extends Comes, const Lapsed extends Comes>(
    work: ServedWork<Kind, Turn, Worked>,
    overdue: ServedLapseWork<Kind, Turn, Lapsed>,
  ): KitHandler<Kind, Turn, OutcomeOf<Worked | Lapsed>> {
    return kitHandler(this, work, overdue);
  }

  /**
   * Does the work of one turn at an agent host, and tells what it answers: for handlers of one's own, and to go on after
   * queued work. Resolves to what the turn ends in.
   */
  inTurn<const Worked extends Comes>(
    turn: ServedTurn,
    work: (task: TaskBlock<Kind>) => Eventually<Worked>,
  ): Promise<ServedOutcome | OutcomeOf<Worked> | undefined> {
    return answered(this, turn, work);
  }

  /** What a task says, to be built, and put on its artifacts and status messages. One for each time that it works. */
  inTask(task: TaskAtWork): TaskBlock<Kind> {
    return new TaskBlock(this.definition, task, this.clock);
  }
}

/**
 * What an agent expects, by kind (§6.2). Throws a `DeclarationError` where the table goes against the specification.
 * The clock is the machine's unless given.
 */
export function expectations<const Kind extends string>(
  definition: Definition<Kind>,
  clock: Clock = systemClock,
): Expectations<Kind> {
  return new Expectations(definition, clock);
}
