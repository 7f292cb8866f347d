// What is told once more, and what is not.
import type { Clock } from '#runtime';
import type { Seen } from '../sightings.ts';
import { type StreamStates, ToldMemory } from './told-memory.ts';

const URI = 'https://rsaxb.com/a2a/expectations/v1';

describe('what has been told', () => {
  let now: number;
  let memory: ToldMemory;
  const clock: Clock = { now: () => now, sleep: () => Promise.resolve() };

  beforeEach(() => {
    now = 1_000_000;
    memory = new ToldMemory(clock);
  });

  const status = (state: string, timestamp?: string, over: object = {}) => ({
    state,
    ...(timestamp && { timestamp }),
    ...over,
  });
  const update = (state: string, timestamp?: string, over: object = {}): Seen => ({
    statusUpdate: { taskId: 't', contextId: 'c', status: status(state, timestamp, over) },
  });
  const block = (expectationId: string) => ({ metadata: { [URI]: { expectations: [{ expectationId }] } } });
  const artifact = (over: object): Seen => ({
    artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', ...over } },
  });
  const isNews = (seen: Seen, stream: StreamStates = new Map(), of = 'acme') =>
    memory.isNews(of, 'booking', seen, stream);
  const tell = (seen: Seen, stream: StreamStates = new Map()): void => memory.remember('acme', 'booking', seen, stream);

  it('is no news while it is the same state at the same instant', () => {
    const working = update('TASK_STATE_WORKING', '2026-01-01T00:00:00Z');
    expect(isNews(working)).toBe(true);
    tell(working);
    expect(isNews(working)).toBe(false);
    expect(isNews({ task: { id: 't', contextId: 'c', status: status('working', '2026-01-01T00:00:00Z') } })).toBe(
      false,
    );
    expect(isNews(update('TASK_STATE_WORKING', '2026-01-01T00:00:01Z'))).toBe(true);
    expect(isNews(update('TASK_STATE_COMPLETED', '2026-01-01T00:00:00Z'))).toBe(true);
    expect(isNews(working, new Map(), 'globex')).toBe(true);
  });

  it('is news again where its state has no instant: another may have come between, seen by another process', () => {
    tell(update('TASK_STATE_WORKING'));
    expect(isNews(update('TASK_STATE_WORKING'))).toBe(true);
    tell(update('TASK_STATE_COMPLETED'));
    expect(isNews(update('TASK_STATE_COMPLETED'))).toBe(false);
  });

  it('is no news in a stream as long as the state stays, whatever its instant', () => {
    const stream: StreamStates = new Map();
    tell(update('TASK_STATE_WORKING', '2026-01-01T00:00:00Z'), stream);
    expect(isNews(update('TASK_STATE_WORKING', '2026-01-01T00:00:09Z'), stream)).toBe(false);
    expect(isNews(update('TASK_STATE_WORKING', '2026-01-01T00:00:09Z', { message: block('e') }), stream)).toBe(true);
    tell(update('TASK_STATE_INPUT_REQUIRED'), stream);
    expect(isNews(update('TASK_STATE_WORKING', '2026-01-01T00:00:09Z'), stream)).toBe(true);
  });

  it('is remembered of a stream within bounds, whatever its agent writes', () => {
    const stream: StreamStates = new Map();
    const of = (taskId: unknown, state: string): Seen => ({ statusUpdate: { taskId, status: { state } } });
    tell(of({ deep: 'x' }, 'TASK_STATE_WORKING'), stream);
    tell(of('x'.repeat(2_000), 'TASK_STATE_WORKING'), stream);
    tell(of('a\0', 'TASK_STATE_WORKING'), stream);
    tell(of('t', 'X'.repeat(100)), stream);
    expect([...stream]).toEqual([]);
    for (let count = 0; count < 1_500; count += 1) tell(of(`t${count}`, 'TASK_STATE_WORKING'), stream);
    expect(stream.size).toBe(1_000);
    expect(isNews(of('t1499', 'TASK_STATE_WORKING'), stream)).toBe(false);
    expect(isNews(of('t0', 'TASK_STATE_WORKING'), stream)).toBe(true);
  });

  it('is a block with all that is in it', () => {
    tell(artifact(block('e1')));
    expect(isNews(artifact(block('e1')))).toBe(false);
    expect(isNews(artifact(block('e2')))).toBe(true);
    expect(isNews(artifact({ parts: [{ text: 'x' }] }))).toBe(false);
    const artifacts = [{ artifactId: 'a', ...block('e1') }];
    const task = { id: 't', contextId: 'c', status: status('TASK_STATE_COMPLETED'), artifacts };
    expect(isNews({ task })).toBe(true);
    tell({ task });
    expect(isNews({ task: { ...task, artifacts: [...artifacts, { artifactId: 'b', ...block('e3') }] } })).toBe(true);
  });

  it('is told once a minute all the same: a refused expectation may be taken by now', () => {
    tell(artifact(block('e1')));
    now += 59_999;
    expect(isNews(artifact(block('e1')))).toBe(false);
    now += 1;
    expect(isNews(artifact(block('e1')))).toBe(true);
  });

  it.each<[string, Seen]>([
    ['a message without a block', { message: { messageId: 'm', role: 'ROLE_AGENT', parts: [] } }],
    ['a status that is none', { statusUpdate: { taskId: 't', status: 7 } }],
    ['nothing', { task: null }],
  ])('is never news where it is %s', (_, seen) => {
    expect(isNews(seen)).toBe(false);
  });
});
