// A handler that does what the first word of a message says.
import type { AgentHandler, Json, Outcome, Turn } from '#agent-handler';
import { until } from '#testing';

/** What a test sees and decides of what the handler does. */
export class Strings {
  /** Turns wait here until a test opens it. */
  isOpen = false;
  readonly begun: string[] = [];
  readonly ended: string[] = [];
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

export function obedientAgent(strings = new Strings()): AgentHandler {
  const perform = async (payload: Json, signal: AbortSignal): Promise<Json> => {
    strings.begun.push(`work ${textOf(payload)}`);
    await until(() => strings.isOpen || signal.aborted, 'the work');
    strings.ended.push(`work ${textOf(payload)}`);
    signal.throwIfAborted();
    return 'shipped';
  };
  return {
    work: { ship: { isRepeatable: true, perform } },
    handle: (turn) => obey(turn, strings),
    resume: async (turn, { work, state, result }) => {
      if (state === 'ask') await turn.ask('may I go on?');
      await turn.say(`${work} ${textOf(state)} ${textOf(result)}`);
      return undefined;
    },
  };
}

async function obey(turn: Turn, strings: Strings): Promise<Outcome | undefined> {
  const [word = '', rest = ''] = turn.message.text.split(/ (.*)/);
  strings.begun.push(turn.message.text);
  switch (word) {
    case 'say':
      await turn.say(rest);
      return undefined;
    case 'ask': {
      const reply = await turn.ask(rest);
      await turn.say(`you said ${reply.text}`);
      return undefined;
    }
    case 'later':
      return { outcome: 'inputRequired', message: rest };
    case 'wait':
      return { outcome: 'waiting', work: 'ship', payload: rest, state: rest.startsWith('ask') ? 'ask' : 'kept' };
    case 'hold':
      await turn.say('holding');
      await until(() => strings.isOpen || turn.signal.aborted, 'the turn');
      strings.ended.push(turn.message.text);
      await turn.say(rest);
      return undefined;
    case 'held':
      await turn.track();
      strings.begun.push(`${turn.message.text} tracked`);
      await until(() => strings.isOpen, 'the turn');
      if (!turn.signal.aborted) strings.ended.push(turn.message.text);
      return undefined;
    case 'artifact':
      await turn.artifact({ artifactId: 'file', parts: [{ data: { key: 'value' } }] });
      return undefined;
    case 'reject':
      return { outcome: 'rejected', message: rest };
    case 'throw':
      throw new Error('the password is hunter2');
    default:
      await turn.say(`${turn.history.length} before`);
      return { outcome: 'completed' };
  }
}
