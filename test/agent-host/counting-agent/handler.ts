// An agent whose every act is a call of a tool in another process, which counts, and answers once the test lets it.
import type { AgentHandler, Json, Turn } from '#agent-handler';

const tool = process.env['TOOL_URL'] ?? '';

/** What is done, as who does it. */
async function act(what: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(`${tool}/${encodeURIComponent(what)}?pid=${process.pid}`, { signal });
  return response.text();
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

const handler: AgentHandler = {
  work: { ship: { perform: (payload, signal) => act(`ship ${textOf(payload)}`, signal) } },
  handle: async (turn: Turn) => {
    const { text } = turn.message;
    if (text.startsWith('ship')) {
      await act(`before ${text}`, turn.signal);
      return { outcome: 'waiting', work: 'ship', payload: text };
    }
    if (text === 'ask') {
      await turn.say(`you said ${(await turn.ask('what?')).text}`);
      return undefined;
    }
    await turn.say('begun');
    await turn.say(await act(text, turn.signal));
    return undefined;
  },
  resume: async (turn, { result }) => {
    await turn.say(`done: ${textOf(result)}`);
    return undefined;
  },
};

export default handler;
