// What the compatibility kit of the A2A project drives a server by: the prefix of a message's id says what is to come of it.
// Serve it (`duewatch serve examples/compatibility-agent`) and point the kit at http://127.0.0.1:1907.
import type { AgentHandler, Outcome, Part, Turn } from '#agent-handler';

const completed: Outcome = { outcome: 'completed' };

const file = { filename: 'output.txt', mediaType: 'text/plain' };
const artifacts: Readonly<Record<string, Part>> = {
  'tck-artifact-file-url': { url: 'https://example.com/output.txt', ...file },
  'tck-artifact-file': { raw: Buffer.from('Generated file content').toString('base64'), ...file },
  'tck-artifact-data': { data: { key: 'value', count: 42 } },
  'tck-artifact-text': { text: 'Generated text content' },
  'tck-stream-001': { text: 'Streamed' },
  'tck-stream-003': { text: 'Streamed' },
  'tck-stream-ordering-001': { text: 'Streamed' },
};

async function handle(turn: Turn): Promise<Outcome | undefined> {
  const { messageId } = turn.message;
  if (messageId.startsWith('tck-message-response')) {
    await turn.say('Direct message response');
    return undefined;
  }
  await turn.track();
  if (messageId.startsWith('tck-complete-task')) return { outcome: 'completed', message: 'Hello from TCK' };
  if (messageId.startsWith('tck-input-required')) return { outcome: 'inputRequired', message: 'What next?' };
  if (messageId.startsWith('tck-reject-task')) return { outcome: 'rejected', message: 'Not this one' };
  // Longer prefixes first: one begins with another.
  const prefixes = Object.keys(artifacts).sort((a, b) => b.length - a.length);
  const part = artifacts[prefixes.find((prefix) => messageId.startsWith(prefix)) ?? ''];
  if (part !== undefined) await turn.artifact({ artifactId: 'output', parts: [part] });
  return completed;
}

const handler: AgentHandler = { handle };

export default handler;
