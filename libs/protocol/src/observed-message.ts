// Messages at the edge: a status's own, an agent's about its task, and those that may carry facts only (§9.2, §11).
// It must never count a client's words as the agent's.
import { roleName } from './a2a-names.ts';
import { type FactRead, type PlausibilityWindow, readFacts } from './fact.ts';
import { isUsableId } from './limits.ts';
import type { Carrier, Reading } from './reading.ts';
import { type Principal, reporterOfAgent } from './reporter.ts';
import { isObject, type JsonObject, member } from './shape.ts';

interface Source {
  readonly agentId: string;
  readonly caller: Principal;
  /** Without it every instant is believed. */
  readonly plausible: PlausibilityWindow | undefined;
  /** JSON path of the message. */
  readonly path: string;
}

/** The status's message if it carries a block and is the agent's, as a status's message is unless it says otherwise. */
export function statusMessage(
  reading: Reading,
  status: JsonObject,
  agentId: string,
  path: string,
): Carrier | undefined {
  const message = member(status, 'message');
  if (!isObject(message)) return undefined;
  const carrier = reading.carrier(message, 'messageId', `${path}.message`, agentId);
  if (carrier === undefined || roleName(member(message, 'role')) !== 'ROLE_USER') return carrier;
  reading.notes.push({ part: 'block', path: carrier.path, message: "is not the agent's own word and was ignored" });
  return undefined;
}

/**
 * A Message by itself. The agent's about a task is read like a status that gives no state: its block, whole. Any other
 * may carry facts only: the agent's are its own reports, a client's are the caller's, answered one by one.
 */
export function readMessage(reading: Reading, message: JsonObject, source: Source): readonly FactRead[] {
  const { agentId, path } = source;
  const role = roleName(member(message, 'role'));
  if (role === undefined) reading.refuse(`${path}.role`, 'must be ROLE_USER or ROLE_AGENT');
  const carrier = reading.carrier(message, 'messageId', path, role === 'ROLE_AGENT' ? agentId : undefined);
  if (carrier === undefined || role === undefined) return [];
  const taskId = member(message, 'taskId');
  const contextId = member(message, 'contextId');
  if (role === 'ROLE_AGENT' && isUsableId(taskId) && isUsableId(contextId)) {
    const input = { agentId, taskId, contextId, state: null, message: carrier.kept };
    reading.tell({ type: 'statusObserved', ...input }, carrier);
    return [];
  }
  for (const part of ['expectations', 'withdraw'] as const) {
    if (!carrier.block[part]?.length) continue;
    const only = "belongs into an artifact or a task's status message and was ignored";
    reading.notes.push({ part, path: `${carrier.path}.${part}`, message: only });
  }
  const factNotes = carrier.notes.filter((note) => note.part === 'facts' || note.part === 'privacy');
  const ofFacts = { ...carrier, notes: factNotes };
  if (role === 'ROLE_USER') return tellFacts(reading, ofFacts, source);
  const facts = carrier.block.facts ?? [];
  if (facts.length > 0) reading.tell({ type: 'factsReported', reporter: reporterOfAgent(agentId), facts }, ofFacts);
  else reading.keptOut.push(...carrier.implausible);
  return [];
}

function tellFacts(reading: Reading, carrier: Carrier, { caller, plausible }: Source): readonly FactRead[] {
  const read = readFacts(carrier.block.facts ?? [], caller, {
    path: `${carrier.path}.facts`,
    ...(plausible && { plausible }),
  });
  const first = reading.inputs.length;
  for (const input of read.inputs) reading.tell(input);
  const stubbed = new Map(carrier.notes.map((note) => [note.index, note.message]));
  return read.facts.map((fact, index) => {
    if (fact.outcome !== 'told') return fact;
    const message = fact.message ?? stubbed.get(index);
    return { ...fact, input: fact.input + first, ...(message !== undefined && { message }) };
  });
}
