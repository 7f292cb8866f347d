// A desk that answers questions about a product, and triages what it cannot answer. No model is asked: what matters here is
// how an agent is served. Run it: `duewatch serve examples/support-agent`.
import type { AgentHandler, Turn } from '#agent-handler';

const known: readonly (readonly [RegExp, string])[] = [
  [/\b(hello|hi)\b/i, 'Hello! Ask me about the product, or tell me what is wrong.'],
  [/\b(price|cost)\b/i, 'It costs 20 EUR a month; the first month is free.'],
  [/\bhours?\b/i, 'Somebody is at the desk from 9 to 17, Monday to Friday.'],
];

async function answer(turn: Turn): Promise<void> {
  await turn.activity({ agent: 'support', phase: 'started' });
  const { text } = turn.message;
  const found = known.find(([pattern]) => pattern.test(text));
  if (found !== undefined) await turn.say(found[1]);
  else await triage(turn, text);
  await turn.activity({ agent: 'support', phase: 'finished' });
}

/**
 * What nobody here knows is handed on, once the caller has said how urgent it is, or a reminder has: of what nobody said to
 * it, a model would have `turn.reminderBlocks` in its context.
 */
async function triage(turn: Turn, text: string): Promise<void> {
  const reply = await turn.ask('I do not know. Shall a person look at it? Say "urgent", "yes" or "no".');
  if (/\bno\b/i.test(reply.text)) return turn.say('Then I leave it at that.');
  const isUrgent = /\burgent\b/i.test(reply.text) || turn.reminders.some(({ tags }) => tags.includes('urgent'));
  const priority = isUrgent ? 'high' : 'normal';
  await turn.artifact({
    artifactId: 'ticket',
    name: 'Support ticket',
    parts: [{ data: { priority, question: text } }],
  });
  await turn.say('A person will answer you.');
}

const handler: AgentHandler = { reminders: true, handle: answer };

export default handler;
