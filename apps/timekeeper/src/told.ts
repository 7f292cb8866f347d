// An inbox record as it is told to a tenant's state; what cannot be told has an outcome that says why.
import {
  decodeInbox,
  type InboxEntry,
  isRecordedAct,
  type LedgerEvent,
  type LogRecord,
  type OperatorAct,
  recordedAs,
  type RecordedAct,
  UndecodableRecordError,
} from '#event-log';
import type { Event, Input, State } from '#expectations';
import type { Core } from './core.ts';
import { faultOf } from './readable-input.ts';

type Told = { readonly input: Input } | { readonly act: OperatorAct | RecordedAct } | { readonly why: string };

/** Decides a record for its tenant. Of what is recorded as it is told, such as what is asked of dispatch, the core is told nothing. Throws what the core throws. */
export function tellState(core: Core, state: State, record: LogRecord, at: string): LedgerEvent[] {
  const told = readTold(record, at);
  if ('input' in told) return core.decide(state, told.input);
  if ('act' in told && isRecordedAct(told.act)) return [recordedAs(told.act, at)];
  const why = 'why' in told ? told.why : 'what it asks to be released is not held';
  const ignored: Event = { type: 'inputIgnored', at, why };
  core.evolve(state, ignored);
  return [ignored];
}

/** The operator's act that a record is, if it is one. */
export function readAct(record: LogRecord): OperatorAct | RecordedAct | undefined {
  const told = readTold(record, '');
  return 'act' in told ? told.act : undefined;
}

function readTold({ value }: LogRecord, at: string): Told {
  let input: InboxEntry['input'];
  try {
    input = decodeInbox(value);
  } catch (cause) {
    if (!(cause instanceof UndecodableRecordError)) throw cause;
    return { why: `undecodable: ${cause.message}` };
  }
  const fault = faultOf(input);
  if (fault !== undefined) return { why: `unreadable: ${fault}` };
  if (input.type === 'tenantReleaseRequested' || input.type === 'partitionReleaseRequested' || isRecordedAct(input)) {
    return { act: input };
  }
  return { input: { ...input, at } };
}
