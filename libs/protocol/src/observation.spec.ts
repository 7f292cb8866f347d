import { METADATA_KEY } from './extension.ts';
import { type ObservationRead, readObservation } from './observation.ts';

const caller = { name: 'ops', sources: ['carrier-feed:*'] };
const expectation = {
  expectationId: 'e1',
  kind: 'shipment.manifest',
  subject: { type: 'shipment', id: 'PA-1' },
  expects: 'the manifest',
  satisfiedBy: { factKey: 'manifest:PA-1' },
  dueAt: '2026-09-10T20:15:00Z',
  basis: 'observed',
  unknownField: [1],
};
const fact = { factKey: 'k', observedAt: '2026-09-10T20:15:00Z', source: 'anyone' };

function block(content: object): { metadata: Record<string, unknown> } {
  return { metadata: { [METADATA_KEY]: content, other: 'kept out' } };
}

function kept(content: object): { metadata: Record<string, unknown> } {
  return { metadata: { [METADATA_KEY]: content } };
}

function artifact(id: string, content: object): object {
  return { artifactId: id, name: 'n', parts: [{ text: 'secret' }], extensions: [METADATA_KEY], ...block(content) };
}

function read(item: object): Extract<ObservationRead, { ok: true }> {
  const result = readObservation({ agentId: 'booking', ...item }, caller);
  if (!result.ok) throw new Error(JSON.stringify(result.refusals));
  return result;
}

function refused(item: unknown): readonly string[] {
  const result = readObservation(item, caller);
  return result.ok ? [] : result.refusals.map(({ path }) => path);
}

const ofTask = { agentId: 'booking', taskId: 't1', contextId: 'c1' };

describe('a task', () => {
  it('is its state, its artifacts in order, then its status with the message', () => {
    const { inputs } = read({
      task: {
        id: 't1',
        contextId: 'c1',
        status: {
          state: 'TASK_STATE_INPUT_REQUIRED',
          timestamp: '2026-09-01T00:00:00Z',
          message: {
            messageId: 'm1',
            role: 'ROLE_AGENT',
            parts: [{ text: 'whose?' }],
            ...block({ expectations: [expectation] }),
          },
        },
        artifacts: [artifact('a1', { withdraw: ['x'], reason: 'gone' }), artifact('a2', { facts: [fact] })],
        history: [{ messageId: 'h', role: 'ROLE_USER', ...block({ facts: [fact] }) }],
      },
    });
    const status = {
      type: 'statusObserved',
      ...ofTask,
      state: 'TASK_STATE_INPUT_REQUIRED',
      statusAt: '2026-09-01T00:00:00Z',
    };
    expect(inputs).toEqual([
      status,
      {
        type: 'artifactObserved',
        ...ofTask,
        artifact: { artifactId: 'a1', ...kept({ withdraw: ['x'], reason: 'gone' }) },
      },
      { type: 'artifactObserved', ...ofTask, artifact: { artifactId: 'a2', ...kept({ facts: [fact] }) } },
      { ...status, message: { messageId: 'm1', role: 'ROLE_AGENT', ...kept({ expectations: [expectation] }) } },
    ]);
  });

  it('without blocks is one status', () => {
    const task = {
      id: 't1',
      contextId: 'c1',
      status: { state: 'TASK_STATE_WORKING' },
      artifacts: [{ artifactId: 'a', parts: [] }],
    };
    expect(read({ task }).inputs).toEqual([{ type: 'statusObserved', ...ofTask, state: 'TASK_STATE_WORKING' }]);
  });

  it('with a block in its message alone is one status', () => {
    const status = {
      state: 'TASK_STATE_WORKING',
      message: { messageId: 'm', role: 'ROLE_AGENT', ...block({ facts: [fact] }) },
    };
    expect(read({ task: { id: 't1', contextId: 'c1', status } }).inputs).toEqual([
      expect.objectContaining({
        type: 'statusObserved',
        message: { messageId: 'm', role: 'ROLE_AGENT', ...kept({ facts: [fact] }) },
      }),
    ]);
  });

  it('of 0.3 is read by the names of 1.0', () => {
    const task = {
      kind: 'task',
      id: 't1',
      contextId: 'c1',
      status: {
        state: 'input-required',
        message: { kind: 'message', messageId: 'm', role: 'agent', ...block({ facts: [fact] }) },
      },
    };
    expect(read({ task }).inputs).toEqual([
      expect.objectContaining({
        state: 'TASK_STATE_INPUT_REQUIRED',
        message: expect.objectContaining({ role: 'ROLE_AGENT' }) as unknown,
      }),
    ]);
  });

  it('in snake_case is read alike', () => {
    const task = {
      id: 't1',
      context_id: 'c1',
      status: { state: 5 },
      artifacts: [{ artifact_id: 'a1', ...block({ facts: [] }) }],
    };
    expect(read({ task }).inputs).toEqual([
      { type: 'statusObserved', ...ofTask, state: 'TASK_STATE_CANCELED' },
      { type: 'artifactObserved', ...ofTask, artifact: { artifactId: 'a1', ...kept({ facts: [] }) } },
    ]);
  });

  it('says whether the extension was activated, where that is known', () => {
    const task = {
      id: 't1',
      contextId: 'c1',
      status: { state: 'TASK_STATE_WORKING' },
      artifacts: [artifact('a', { facts: [] })],
    };
    const result = readObservation({ agentId: 'booking', task }, caller, { activated: false });
    expect(result.ok && result.inputs.map((input) => 'activated' in input && input.activated)).toEqual([false, false]);
  });
});

describe('a status', () => {
  it.each([
    ['TASK_STATE_CANCELED', 'TASK_STATE_CANCELED'],
    ['canceled', 'TASK_STATE_CANCELED'],
    ['TASK_STATE_CANCELLED', 'TASK_STATE_CANCELED'],
    ['auth-required', 'TASK_STATE_AUTH_REQUIRED'],
    [6, 'TASK_STATE_INPUT_REQUIRED'],
    ['whatever', 'whatever'],
    [undefined, null],
    [{}, null],
  ])('%j is the state %j', (given, state) => {
    const statusUpdate = { taskId: 't1', contextId: 'c1', status: { state: given }, final: true };
    expect(read({ statusUpdate }).inputs).toEqual([{ type: 'statusObserved', ...ofTask, state }]);
  });

  it("does not read a client's message as the agent's word", () => {
    const message = { messageId: 'm', role: 'user', ...block({ expectations: [expectation] }) };
    const result = read({ statusUpdate: { taskId: 't1', contextId: 'c1', status: { state: 'working', message } } });
    expect(result.inputs).toEqual([{ type: 'statusObserved', ...ofTask, state: 'TASK_STATE_WORKING' }]);
    expect(result.notes).toEqual([expect.objectContaining({ part: 'block' })]);
  });

  it.each([[7], ['\0'], ['\ud800'], ['x'.repeat(65)]])('leaves out the timestamp %j, which is none', (timestamp) => {
    const statusUpdate = { taskId: 't1', contextId: 'c1', status: { state: 'working', timestamp } };
    expect(read({ statusUpdate }).inputs).toEqual([{ type: 'statusObserved', ...ofTask, state: 'TASK_STATE_WORKING' }]);
  });
});

describe('an artifact', () => {
  it('is told by its block', () => {
    const artifactUpdate = {
      taskId: 't1',
      contextId: 'c1',
      artifact: artifact('a1', { expectations: [expectation] }),
      append: true,
    };
    expect(read({ artifactUpdate }).inputs).toEqual([
      { type: 'artifactObserved', ...ofTask, artifact: { artifactId: 'a1', ...kept({ expectations: [expectation] }) } },
    ]);
  });

  it('without a block is nothing to the watcher', () => {
    expect(read({ artifactUpdate: { taskId: 't1', contextId: 'c1', artifact: { artifactId: 'a1' } } }).inputs).toEqual(
      [],
    );
  });
});

describe('a message', () => {
  it("of the agent without a task reports the agent's facts, and nothing else", () => {
    const message = {
      messageId: 'm',
      role: 'ROLE_AGENT',
      ...block({ facts: [fact], expectations: [expectation], withdraw: ['e'] }),
    };
    const result = read({ message });
    expect(result.inputs).toEqual([{ type: 'factsReported', reporter: 'agent:booking', facts: [fact] }]);
    expect(result.notes.map(({ part }) => part)).toEqual(['expectations', 'withdraw']);
  });

  it("of a client reports facts of the caller's, one by one", () => {
    const facts = [{ ...fact, source: 'carrier-feed:x' }, fact, { factKey: 'k', observedAt: fact.observedAt }];
    const result = read({
      message: { messageId: 'm', role: 'user', taskId: 't1', contextId: 'c1', ...block({ facts }) },
    });
    expect(result.inputs).toEqual([
      { type: 'factsReported', reporter: 'carrier-feed:x', facts: [facts[0]] },
      { type: 'factsReported', reporter: 'ops', facts: [facts[2]] },
    ]);
    expect(result.facts.map(({ outcome }) => outcome)).toEqual(['told', 'refused', 'told']);
  });

  it('of the agent about its task carries a whole block, as a status without a state', () => {
    const message = {
      messageId: 'm',
      role: 'agent',
      taskId: 't1',
      contextId: 'c1',
      ...block({ expectations: [expectation] }),
    };
    expect(read({ message }).inputs).toEqual([
      {
        type: 'statusObserved',
        ...ofTask,
        state: null,
        message: { messageId: 'm', role: 'ROLE_AGENT', ...kept({ expectations: [expectation] }) },
      },
    ]);
  });

  it('without facts is nothing', () => {
    expect(read({ message: { messageId: 'm', role: 'ROLE_USER', parts: [] } }).inputs).toEqual([]);
  });
});

it('a member that is null is not there, as in proto-JSON', () => {
  const statusUpdate = { taskId: 't1', contextId: 'c1', status: { state: 'working', message: null, timestamp: null } };
  const { inputs } = read({ task: null, message: null, statusUpdate, artifactUpdate: null });
  expect(inputs).toEqual([{ type: 'statusObserved', ...ofTask, state: 'TASK_STATE_WORKING' }]);
});

describe('what cannot be read is refused, by every path that is wrong', () => {
  it.each([
    ['no object', 'x', ['$']],
    ['no agent', { task: { id: 't', contextId: 'c', status: {} } }, ['$.agentId']],
    ['nothing beside the agent', { agentId: 'a' }, ['$']],
    ['two members', { agentId: 'a', task: {}, message: {} }, ['$']],
    ['an empty task', { agentId: 'a', task: {} }, ['$.task.id', '$.task.contextId', '$.task.status']],
    [
      'artifacts that are no list',
      { agentId: 'a', task: { id: 't', contextId: 'c', status: {}, artifacts: {} } },
      ['$.task.artifacts'],
    ],
    [
      'an artifact that is none',
      { agentId: 'a', task: { id: 't', contextId: 'c', status: {}, artifacts: [7] } },
      ['$.task.artifacts[0]'],
    ],
    ['a message of nobody', { agentId: 'a', message: { messageId: 'm' } }, ['$.message.role']],
    [
      'a NUL in an id',
      { agentId: 'a\0', statusUpdate: { taskId: '\ud800', contextId: 'c', status: {} } },
      ['$.agentId', '$.statusUpdate.taskId'],
    ],
    [
      'a number for an id',
      { agentId: 'a', artifactUpdate: { taskId: 1, contextId: 'c', artifact: {} } },
      ['$.artifactUpdate.taskId'],
    ],
  ])('%s', (_, item, paths) => {
    expect(refused(item)).toEqual(paths);
  });

  it('no more of them than anybody would read', () => {
    const paths = refused({
      agentId: 'a',
      task: { id: 't', contextId: 'c', status: {}, artifacts: Array(200_000).fill(0) },
    });
    expect(paths).toHaveLength(101);
  });

  it('a list too long to answer item by item', () => {
    const artifactUpdate = { taskId: 't', contextId: 'c', artifact: artifact('a', { facts: Array(10_001).fill(0) }) };
    expect(refused({ agentId: 'a', artifactUpdate })).toEqual([
      `$.artifactUpdate.artifact.metadata["${METADATA_KEY}"]`,
    ]);
  });
});
