// What this process has told the log a moment ago, so that a client that asks again and again costs the log nothing.
// It must never hold back what somebody else may have told something newer than.
import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { isTerminal } from '#expectations';
import { isList, isObject, isUsableId, member, METADATA_KEY, stateName, taskIdOf } from '#protocol';
import { CLOCK, type Clock } from '#runtime';
import type { Seen } from '../sightings.ts';
import { stateOf, statusOf } from './answer.ts';

/** Another replica may have told a newer state, or a refused expectation may be taken now: nothing is held back for longer. */
const memoryMs = 60_000;
const markCount = 50_000;
/** Of the tasks of one stream, which a stream of A2A has one of. */
const streamTaskCount = 1_000;
/** Of the longest name that a state may have to be remembered; A2A's are shorter by half. */
const stateLength = 64;

/** The state of each task as one stream had it last: a stream shows all of a task's states, in order. */
export type StreamStates = Map<string, string>;

@Injectable()
export class ToldMemory {
  private readonly told = new Map<string, number>();

  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  /** Whether it carries a block of the extension or a state that this process has not just told of the agent. */
  isNews(tenant: string, agentId: string, seen: Seen, stream: StreamStates): boolean {
    const { state, marks } = marksOf(seen);
    if (state !== undefined && !this.isOld(state, tenant, agentId, taskIdOf(seen), stream)) return true;
    return marks.some((mark) => !this.isTold(keyOf(tenant, agentId, mark)));
  }

  /** To be told once it is in the log. */
  remember(tenant: string, agentId: string, seen: Seen, stream: StreamStates): void {
    const { state, marks } = marksOf(seen);
    if (state !== undefined) {
      rememberIn(stream, taskIdOf(seen), state.name);
      if (isLasting(state)) this.add(keyOf(tenant, agentId, markOf(taskIdOf(seen), state)));
    }
    for (const mark of marks) this.add(keyOf(tenant, agentId, mark));
  }

  private isOld(state: State, tenant: string, agentId: string, taskId: unknown, stream: StreamStates): boolean {
    if (isUsableId(taskId) && stream.get(taskId) === state.name) return true;
    return isLasting(state) && this.isTold(keyOf(tenant, agentId, markOf(taskId, state)));
  }

  private isTold(key: string): boolean {
    const at = this.told.get(key);
    return at !== undefined && this.clock.now() - at < memoryMs;
  }

  private add(key: string): void {
    this.told.delete(key);
    this.told.set(key, this.clock.now());
    for (const oldest of this.told.keys()) {
      if (this.told.size <= markCount) return;
      this.told.delete(oldest);
    }
  }
}

/** What an agent writes for an id or a state is not kept but where it can be one. */
function rememberIn(stream: StreamStates, taskId: unknown, state: string): void {
  if (!isUsableId(taskId)) return;
  stream.delete(taskId);
  if (state.length > stateLength) return;
  stream.set(taskId, state);
  for (const oldest of stream.keys()) {
    if (stream.size <= streamTaskCount) return;
    stream.delete(oldest);
  }
}

interface State {
  readonly name: string;
  readonly at: unknown;
}

/** Seen once more it says nothing new, however long ago: it is the task's last, or is dated. */
function isLasting({ name, at }: State): boolean {
  return isTerminal(name) || typeof at === 'string';
}

function markOf(taskId: unknown, { name, at }: State): unknown {
  return ['state', taskId, name, isTerminal(name) ? null : at];
}

function marksOf(seen: Seen): { readonly state: State | undefined; readonly marks: readonly unknown[] } {
  const name = stateOf(seen);
  const status = statusOf(seen);
  const state = name === null || status === undefined ? undefined : { name, at: member(status, 'timestamp') };
  const marks = carriersOf(seen).flatMap((carrier) => {
    const metadata = isObject(carrier) ? member(carrier, 'metadata') : undefined;
    if (!isObject(carrier) || !isObject(metadata) || !Object.hasOwn(metadata, METADATA_KEY)) return [];
    const id = member(carrier, 'artifactId') ?? member(carrier, 'messageId');
    // A message is read in the light of its task's state.
    return [['block', taskIdOf(seen), id, stateName(name), metadata[METADATA_KEY]]];
  });
  return { state, marks };
}

function carriersOf(seen: Seen): readonly unknown[] {
  if ('message' in seen) return [seen.message];
  if ('artifactUpdate' in seen) return isObject(seen.artifactUpdate) ? [member(seen.artifactUpdate, 'artifact')] : [];
  const status = statusOf(seen);
  const own = 'task' in seen && isObject(seen.task) ? member(seen.task, 'artifacts') : [];
  return [...(isList(own) ? own : []), ...(status === undefined ? [] : [member(status, 'message')])];
}

function keyOf(tenant: string, agentId: string, mark: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([tenant, agentId, mark]))
    .digest('base64');
}
