// The edge for observations: one item of `POST /v1/observations` → inputs for the log, in the order they happened.
// It must never read the tenant from the payload, and never let an artifact's or message's parts into the log.
//
// A Task is its state, its artifacts in order, then its status message's block (`history` is not read). The decider's
// status input is already "state, then message", so the state goes first without the message, and the same state again,
// with it, after the artifacts: a state of the same instant is not stale, and applying it twice changes nothing. After
// a terminal state it is ignored and its message still read; a question in the message is asked in that very state.
// Where no artifact carries a block, one status input says the same. What carries no block is nothing to the watcher.
import type { UntimedInput } from '#expectations';
import { stateName } from './a2a-names.ts';
import { isUsableId } from './limits.ts';
import { readMessage, statusMessage } from './observed-message.ts';
import { observedPart } from './observed-part.ts';
import type { FactRead, PlausibilityWindow } from './fact.ts';
import { type EdgeRefusal, type KeptOut, type ObservationNote, Reading } from './reading.ts';
import type { Principal } from './reporter.ts';
import { isList, isObject, isStorable, type JsonObject, member, textMember } from './shape.ts';

export type ObservationRead =
  | {
      readonly ok: true;
      readonly agentId: string;
      /** To be appended in one go. Empty where nothing in the item concerns the watcher. */
      readonly inputs: readonly UntimedInput[];
      readonly notes: readonly ObservationNote[];
      /** One a fact, where a client's own Message carried them; `input` counts in `inputs`. */
      readonly facts: readonly FactRead[];
      /** Facts of the agent's at implausible instants: of none of them is anything in `inputs`. */
      readonly keptOut: readonly KeptOut[];
    }
  | { readonly ok: false; readonly refusals: readonly EdgeRefusal[] };

export interface ObservationOptions {
  /** The item's JSON path in the request; `$` unless told. */
  readonly path?: string;
  /** False where the request that brought the work had not activated the extension (§7). */
  readonly activated?: boolean;
  /** Without it every instant of a fact is believed. */
  readonly plausible?: PlausibilityWindow;
}

/**
 * Reads `{agentId, task | message | statusUpdate | artifactUpdate}`, A2A JSON of 1.0 or 0.3, as the caller sent it; or the
 * agent beside what `observedPart` knows besides.
 * Refuses, naming every JSON path that is wrong, what cannot be read at all. Never throws.
 */
export function readObservation(item: unknown, caller: Principal, options: ObservationOptions = {}): ObservationRead {
  const path = options.path ?? '$';
  if (!isObject(item)) return { ok: false, refusals: [{ path, message: 'must be an object' }] };
  const reading = new Reading(options.plausible);
  const agentId = reading.id(item, 'agentId', path);
  const part = observedPart(item, path);
  let facts: readonly FactRead[] = [];
  if ('wrong' in part) reading.refuse(path, part.wrong);
  else if (!isObject(part.value)) reading.refuse(part.path, 'must be an object');
  else if (part.name === 'message') {
    const { plausible } = options;
    facts = readMessage(reading, part.value, { agentId, caller, plausible, path: part.path });
  } else readWork(reading, part.name, part.value, { agentId, path: part.path, activated: options.activated });
  if (reading.refusals.length > 0) return { ok: false, refusals: reading.refusals };
  const { inputs, notes, keptOut } = reading;
  return { ok: true, agentId, inputs, notes, facts, keptOut };
}

interface Source {
  readonly agentId: string;
  readonly path: string;
  readonly activated: boolean | undefined;
}

interface OfTask {
  readonly agentId: string;
  readonly taskId: string;
  readonly contextId: string;
  readonly activated?: boolean;
}

function readWork(
  reading: Reading,
  name: 'task' | 'statusUpdate' | 'artifactUpdate',
  work: JsonObject,
  source: Source,
): void {
  const { agentId, path, activated } = source;
  const of: OfTask = {
    agentId,
    taskId: reading.id(work, name === 'task' ? 'id' : 'taskId', path),
    contextId: reading.id(work, 'contextId', path),
    ...(activated !== undefined && { activated }),
  };
  if (name === 'artifactUpdate') return readArtifact(reading, member(work, 'artifact'), of, `${path}.artifact`);
  const status = member(work, 'status');
  if (!isObject(status)) return reading.refuse(`${path}.status`, 'must be an object');
  const artifacts = name === 'task' ? (member(work, 'artifacts') ?? []) : [];
  if (!isList(artifacts)) return reading.refuse(`${path}.artifacts`, 'must be a list');
  readTask(reading, status, artifacts, of, path);
}

function readTask(reading: Reading, status: JsonObject, artifacts: readonly unknown[], of: OfTask, path: string): void {
  const state = stateInput(status, of);
  const message = statusMessage(reading, status, of.agentId, `${path}.status`);
  reading.tell(state);
  artifacts.forEach((artifact, index) => readArtifact(reading, artifact, of, `${path}.artifacts[${index}]`));
  const isAlone = reading.inputs.length === 1;
  if (message === undefined) return;
  if (isAlone) reading.inputs.pop();
  reading.tell({ ...state, message: message.kept }, message);
}

function readArtifact(reading: Reading, artifact: unknown, of: OfTask, path: string): void {
  if (!isObject(artifact)) return reading.refuse(path, 'must be an object');
  const carrier = reading.carrier(artifact, 'artifactId', path, of.agentId);
  if (carrier) reading.tell({ type: 'artifactObserved', ...of, artifact: carrier.kept }, carrier);
}

// A timestamp that is none is left out: with none the state is applied all the same (semantics, *Task states*).
function stateInput(status: JsonObject, of: OfTask): Extract<UntimedInput, { type: 'statusObserved' }> {
  const state = stateName(member(status, 'state'));
  const statusAt = textMember(status, 'timestamp');
  return {
    type: 'statusObserved',
    ...of,
    state: isUsableId(state) ? state : null,
    ...(statusAt !== undefined && statusAt.length <= 64 && isStorable(statusAt) && { statusAt }),
  };
}
