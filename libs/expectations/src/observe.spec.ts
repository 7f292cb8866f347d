// What is seen of an agent’s work, each rule as a sentence: artifacts, the states of tasks, questions.
import {
  artifact,
  dispatchVoided,
  expectationLapsed,
  expectationReanchored,
  expectationRecorded,
  expectationReleased,
  expectationSatisfied,
  expectationSuspended,
  expectationWithdrawn,
  factRecorded,
  given,
  raising,
  reporting,
  status,
  statusApplied,
  t,
} from '#testing';
import type { ExpectationRepeated, InputIgnored, StatusIgnored } from './event.ts';

const e1 = expectationRecorded();
const later = { factKey: 'arrived:S1' };
/** The next step: anchored to the first, and after it. */
const e2 = expectationRecorded({
  expectationId: 'e2',
  projectedDueAt: t(120),
  content: {
    kind: 'shipment.arrival',
    expects: 'S1 arrives',
    satisfiedBy: later,
    anchor: { expectationId: 'e1', offset: 'PT1M' },
    after: ['e1'],
  },
});
const departed = factRecorded();
const satisfied = expectationSatisfied({ factKey: 'departed:S1', factNumber: 1 });
const overdue = expectationLapsed();

function ignored(at: string): InputIgnored {
  return { type: 'inputIgnored', at, why: 'it carries nothing that changes anything' };
}

describe('an artifact', () => {
  it('has what it raises recorded', () => {
    given().when(raising(e1, e2)).then(e1, e2);
  });

  it('that is seen again is answered as a repeat, whatever the order of its members', () => {
    const content = Object.fromEntries(Object.entries(e1.content).reverse());
    const repeated: ExpectationRepeated = {
      type: 'expectationRepeated',
      at: t(5),
      agentId: 'booking',
      expectationId: 'e1',
    };
    given(e1)
      .when(artifact({ expectations: [content] }, { at: t(5) }))
      .then(repeated);
  });

  it('without the extension’s block is ignored', () => {
    given()
      .when({ ...artifact({}), artifact: { parts: [{ text: 'booked' }] } })
      .then(ignored(t(0)));
  });

  it('that replaces an expectation withdraws it, and what hung from it hangs from its successor', () => {
    const e3 = expectationRecorded({
      at: t(5),
      expectationId: 'e3',
      lineage: 1,
      projectedDueAt: t(90),
      content: { supersedes: 'e1' },
    });
    const replaced = expectationWithdrawn({ at: t(5), withdrawn: 'superseded', supersededBy: 'e3' });
    given(e1, e2).when(raising(e3)).then(e3, replaced);
    given(e1, e2, e3, replaced)
      .when(reporting(departed))
      .then(
        departed,
        { ...satisfied, expectationId: 'e3' },
        expectationReanchored({ at: t(30), expectationId: 'e2', anchorId: 'e3', dueAt: t(90) }),
      );
  });

  it('withdraws what the agent names, and releases what was suspended behind it', () => {
    const suspended = expectationSuspended({ at: t(61), expectationId: 'e2', behind: 'e1' });
    given(e1, e2, overdue, suspended)
      .when(artifact({ withdraw: ['e1', 'nobody', 7], reason: 'sold' }, { at: t(70) }))
      .then(
        expectationWithdrawn({ at: t(70), withdrawn: 'agent', reason: 'sold' }),
        dispatchVoided({ at: t(70), cause: 'withdrawn' }),
        expectationReleased({ at: t(70), expectationId: 'e2' }),
      );
  });

  it('that withdraws nothing that is open is ignored', () => {
    given()
      .when(artifact({ withdraw: ['e1'] }))
      .then(ignored(t(0)));
  });

  it('of a task that was canceled is recorded and withdrawn at once', () => {
    const canceled = statusApplied({ at: t(0), state: 'TASK_STATE_CANCELED' });
    given(canceled)
      .when(raising(e1))
      .then(e1, expectationWithdrawn({ at: t(0), withdrawn: 'task_canceled' }));
  });

  it('that raises what was due long ago has it recorded and overdue', () => {
    const at = t(200);
    const raised = { ...e1, at };
    given().when(raising(raised)).then(raised, expectationLapsed({ at }));
  });

  it('is warned of what is odd, in a fixed order', () => {
    const odd = expectationRecorded({
      content: {
        subject: { type: 'parcel', id: 'S1' },
        anchor: { expectationId: 'e8', offset: 'PT1M' },
        after: ['e9'],
        basis: 'guessed',
      },
      warnings: ['subject_type_differs', 'anchor_unknown', 'after_unknown', 'basis_unknown', 'not_activated'],
    });
    given()
      .when({ ...raising(odd), activated: false })
      .then(odd);
  });
});

describe('a task’s state', () => {
  const canceled = status({ state: 'TASK_STATE_CANCELED' });
  const applied = statusApplied({ state: 'TASK_STATE_CANCELED' });

  it.each([
    ['TASK_STATE_CANCELED', 'task_canceled'],
    ['TASK_STATE_FAILED', 'task_failed'],
    ['TASK_STATE_REJECTED', 'task_rejected'],
  ] as const)('%s withdraws what the task raised', (state, withdrawn) => {
    given(e1)
      .when(status({ state }))
      .then(statusApplied({ state }), expectationWithdrawn({ at: t(10), withdrawn }));
  });

  it('completed withdraws nothing, and is the last', () => {
    const completed = statusApplied({ state: 'TASK_STATE_COMPLETED' });
    given(e1)
      .when(status({ state: 'TASK_STATE_COMPLETED' }))
      .then(completed);
    const why: StatusIgnored = {
      type: 'statusIgnored',
      at: t(10),
      agentId: 'booking',
      taskId: 'task-1',
      why: 'terminal',
    };
    given(e1, completed).when(canceled).then(why);
  });

  it('older than the latest is ignored, unless it is the end', () => {
    const working = statusApplied({ statusAt: t(8) });
    const stale: StatusIgnored = {
      type: 'statusIgnored',
      at: t(10),
      agentId: 'booking',
      taskId: 'task-1',
      why: 'stale',
    };
    given(working)
      .when(status({ statusAt: t(7) }))
      .then(stale);
    given(working)
      .when({ ...canceled, statusAt: t(7) })
      .then({ ...applied, statusAt: t(7) });
  });
});

describe('a question', () => {
  const asking = statusApplied({ at: t(0), state: 'TASK_STATE_INPUT_REQUIRED' });
  const question = expectationRecorded({
    question: true,
    content: { kind: 'question.answer', subject: { type: 'task', id: 'task-1' } },
  });
  const answered = { ...expectationSatisfied({ at: t(10) }), source: 'task-state', how: 'state' as const };

  it('is raised by a status about its own task', () => {
    given()
      .when(status({ at: t(0), state: 'TASK_STATE_INPUT_REQUIRED', block: { expectations: [question.content] } }))
      .then(asking, question);
  });

  it('is satisfied when its task goes on', () => {
    given(asking, question).when(status()).then(statusApplied(), answered);
  });

  it('is not satisfied when its task asks again', () => {
    const state = 'TASK_STATE_AUTH_REQUIRED';
    given(asking, question).when(status({ state })).then(statusApplied({ state }));
  });

  it('is satisfied when the agent has accepted the answer, by whoever reports it', () => {
    given(asking, question)
      .when({ type: 'answerObserved', at: t(10), agentId: 'booking', taskId: 'task-1', reporter: 'desk' })
      .then({ ...answered, source: 'desk', how: 'answer' });
  });

  it('is not satisfied by an answer whose acceptance asks it', () => {
    const of = { agentId: 'booking', taskId: 'task-1', reporter: 'desk' };
    given(asking, question)
      .when({ type: 'answerObserved', at: t(10), ...of, except: [question.expectationId] })
      .then({ type: 'inputIgnored', at: t(10), why: 'it carries nothing that changes anything' });
  });

  it('is withdrawn when its task is canceled', () => {
    const state = 'TASK_STATE_CANCELED';
    given(asking, question)
      .when(status({ state }))
      .then(statusApplied({ state }), expectationWithdrawn({ at: t(10), withdrawn: 'task_canceled' }));
  });
});
