// A handler that shows what it is told of reminders, and takes its steps when a test says so.
import type { AgentHandler, Outcome, Turn } from '#agent-handler';
import { until } from '#testing';

export interface SeenTurn {
  readonly text: string;
  readonly taskId: string;
  /** The bodies of those at its beginning. */
  readonly reminders: readonly string[];
  readonly rendered: string;
  /** All that the handler is given of what was said. */
  readonly said: string;
}

/** What a test sees and decides of what the handler does. */
export class Seen {
  readonly turns: SeenTurn[] = [];
  /** Of a turn that holds: what each step brought, and that one was interrupted. */
  readonly steps: string[] = [];
  /** How many steps a turn that holds may have taken. */
  stepsCount = 0;
  isOpen = false;

  /** Of the last turn that began with this text. */
  of(text: string): SeenTurn | undefined {
    return this.turns.findLast((turn) => turn.text === text);
  }
}

export function remindedAgent(seen: Seen): AgentHandler {
  return {
    reminders: true,
    work: { ship: { perform: async () => 'shipped' } },
    handle: (turn) => obey(turn, seen),
    resume: async (turn) => {
      look(turn, seen, 'resumed');
      return undefined;
    },
  };
}

async function obey(turn: Turn, seen: Seen): Promise<Outcome | undefined> {
  const { text } = turn.message;
  look(turn, seen, text);
  switch (text.split(' ')[0]) {
    case 'later':
      return { outcome: 'inputRequired', message: 'go on?' };
    case 'wait':
      return { outcome: 'waiting', work: 'ship', payload: null };
    case 'ask': {
      const { text: reply } = await turn.ask('go on?');
      look(turn, seen, reply);
      return undefined;
    }
    case 'compact':
      await turn.compacted();
      look(turn, seen, `${text} after`);
      return { outcome: 'inputRequired', message: 'go on?' };
    case 'pause':
      await hold(turn, seen);
      await turn.say('done');
      return undefined;
    case 'hold':
      await turn.track();
      await hold(turn, seen);
      return { outcome: 'inputRequired', message: 'go on?' };
    default:
      await turn.say('done');
      return undefined;
  }
}

async function hold(turn: Turn, seen: Seen): Promise<void> {
  for (let taken = 0; ;) {
    await until(
      () => seen.isOpen || seen.stepsCount > taken || turn.interrupted.aborted || turn.signal.aborted,
      'the step',
    );
    if (seen.isOpen || turn.signal.aborted) return;
    if (turn.interrupted.aborted) seen.steps.push('interrupted');
    else taken += 1;
    const brought = (await turn.nextStep()).map(({ body }) => body);
    seen.steps.push(`${brought.join()} of ${turn.reminders.map(({ body }) => body).join()}`);
  }
}

function look(turn: Turn, seen: Seen, text: string): void {
  seen.turns.push({
    ...{ text, taskId: turn.taskId, reminders: turn.reminders.map(({ body }) => body) },
    rendered: turn.reminderBlocks.map(({ roleHint, text: block }) => `${roleHint} ${block}`).join('\n'),
    said: JSON.stringify([turn.message, turn.history]),
  });
}
