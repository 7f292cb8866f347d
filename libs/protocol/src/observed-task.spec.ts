// What a task comes to once the core has decided its inputs.
import { type Input, simulate } from '#expectations';
import { METADATA_KEY } from './extension.ts';
import { readObservation } from './observation.ts';

const kinds = ['departure', 'question.answer'].map((kind) => ({
  kind,
  subjectType: 'x',
  describes: 'd',
  basis: 'declared',
}));

function expectation(expectationId: string, subject: object, kind = 'departure'): object {
  const satisfiedBy = { factKey: `k:${expectationId}` };
  return { expectationId, kind, subject, expects: 'e', satisfiedBy, dueAt: '2026-09-10T00:00:00Z', basis: 'declared' };
}

const question = expectation('question', { type: 'task', id: 't1' }, 'question.answer');

function carrying(block: object): { readonly metadata: object } {
  return { metadata: { [METADATA_KEY]: block } };
}

function task(state: string, message?: object, artifacts: readonly object[] = [], timestamp?: string): object {
  return { id: 't1', contextId: 'c1', status: { state, timestamp, ...(message && { message }) }, artifacts };
}

/** The status of each expectation after the tasks were seen, a minute apart. */
function statuses(...tasks: readonly object[]): unknown {
  const seen = tasks.flatMap((seenTask, minute) => {
    const read = readObservation({ agentId: 'a', task: seenTask }, { name: 'n', sources: [] });
    if (!read.ok) throw new Error(JSON.stringify(read.refusals));
    return read.inputs.map((input) => ({ ...input, at: `2026-09-01T00:0${minute + 1}:00Z` }));
  });
  const declared: Input = { type: 'agentDeclared', at: '2026-09-01T00:00:00Z', agentId: 'a', params: { kinds } };
  const { records } = simulate({ inputs: [declared, ...seen] });
  return Object.fromEntries(
    records.map(({ expectationId, status, withdrawn, source }) => [expectationId, withdrawn ?? source ?? status]),
  );
}

const asks = { messageId: 'm', role: 'ROLE_AGENT', ...carrying({ expectations: [question] }) };
const departure = carrying({ expectations: [expectation('e1', { type: 'flight', id: 'F' })] });

describe('a task seen whole', () => {
  it('asks its question in the state that it is in, however often it is seen', () => {
    const asking = task('TASK_STATE_INPUT_REQUIRED', asks, [departure], '2026-09-01T00:00:30Z');
    expect(statuses(asking)).toEqual({ e1: 'open', question: 'open' });
    expect(statuses(asking, asking)).toEqual({ e1: 'open', question: 'open' });
  });

  it('answers the question when it goes on', () => {
    const asking = task('TASK_STATE_INPUT_REQUIRED', asks, [departure]);
    expect(statuses(asking, task('TASK_STATE_WORKING'))).toEqual({ e1: 'open', question: 'task-state' });
  });

  it('answers the question of a status that comes late', () => {
    const working = task('TASK_STATE_WORKING', undefined, [], '2026-09-01T00:00:40Z');
    const asking = task('TASK_STATE_INPUT_REQUIRED', asks, [departure], '2026-09-01T00:00:30Z');
    expect(statuses(working, asking)).toEqual({ e1: 'open', question: 'task-state' });
  });

  it('that is canceled withdraws what its artifacts and its last message raise', () => {
    expect(statuses(task('canceled', asks, [departure]))).toEqual({ e1: 'task_canceled', question: 'task_canceled' });
  });

  it('without a state answers no question', () => {
    const asking = task('TASK_STATE_INPUT_REQUIRED', asks);
    expect(statuses(asking, { id: 't1', contextId: 'c1', status: {} })).toEqual({ question: 'open' });
  });
});
