// Which tasks take reminders, and how many (reminders, *Inject*).
import { ReminderStory } from '#testing';
import { decide } from './decide.ts';
import { initialState } from './state.ts';

const none = 'REMINDER_PROPAGATION_NONE';

function opened(livePerTaskCount?: number): ReminderStory {
  const story = new ReminderStory(livePerTaskCount === undefined ? {} : { livePerTaskCount });
  story.open('a');
  story.open('b');
  return story;
}

it('an accepted reminder is recorded whole, with what its caller left out', () => {
  const state = { ...initialState('context'), tasks: [{ taskId: 'a', turns: 3 }] };
  const draft = {
    body: 'Rebase.',
    tags: ['upstream'],
    preserveOnCompact: false,
    propagate: 'REMINDER_PROPAGATION_SESSION',
    roleHint: 'REMINDER_ROLE_HINT_SYSTEM',
    mode: 'finish_step',
  } as const;
  const at = '2026-09-01T00:00:00Z';
  const metadata = { 'harn.reminder.origin': 'coordinator' };
  const input = {
    type: 'reminderInjected',
    at,
    taskId: 'a',
    newId: 'made',
    isTerminal: false,
    contentHash: 'h',
  } as const;
  expect(decide(state, { ...input, draft, metadata })).toEqual({
    answer: { reminderId: 'made', dedupedCount: 0, acceptedAt: at },
    events: [
      {
        type: 'reminderAccepted',
        at,
        taskId: 'a',
        reminder: { id: 'made', ...draft, firedAtTurn: 4 },
        contentHash: 'h',
        dedupedCount: 0,
        metadata,
      },
    ],
  });
});

it('a task that nobody knows is not found', () => {
  const refusal = { code: 'task_not_found', field: 'taskId', message: expect.any(String) };
  expect(opened().ask('of another user', { body: 'x' })).toEqual({ refusal });
});

it('a task that has ended takes none, and it is said so', () => {
  const refusal = { code: 'task_terminal', field: 'taskId', message: expect.stringContaining('ended') };
  const story = opened();
  expect(story.ask('ended', { body: 'x' }, true)).toEqual({ refusal });
  expect(story.ask('a', { body: 'x' }, true)).toEqual({ refusal });
});

describe('more live reminders of a task than may be', () => {
  const refusal = { code: 'live_bound', field: 'reminder', message: expect.stringContaining('2 reminders') };

  it('are refused, the 65th where nothing else is set', () => {
    const story = opened();
    for (let number = 1; number <= 64; number += 1) story.inject('a', { id: `${number}` });
    expect(story.ask('a', { body: 'x' })).toMatchObject({ refusal: { code: 'live_bound' } });
  });

  it('are refused, the context’s counted with its own', () => {
    const story = opened(2);
    story.inject('a', { propagate: none });
    story.inject('b', {});
    expect(story.ask('a', { body: 'x', propagate: none })).toEqual({ refusal });
    expect(story.inject('b', { id: 'still', propagate: none }).updates).toEqual(['b still']);
  });

  it('are refused of the context, where any of its tasks would have them', () => {
    const story = opened(2);
    story.inject('a', { propagate: none });
    story.inject('a', { propagate: none });
    expect(story.ask('b', { body: 'x' })).toEqual({ refusal });
    expect(story.ask('b', { body: 'x', propagate: none })).not.toHaveProperty('refusal');
  });

  it('are not what displaces one of them', () => {
    const story = opened(2);
    story.inject('a', { id: 'one', dedupeKey: 'k' });
    story.inject('a', { id: 'two' });
    expect(story.inject('a', { id: 'three', dedupeKey: 'k' }).answer.dedupedCount).toBe(1);
  });

  it('are not what comes again', () => {
    const story = opened(1);
    const { answer } = story.inject('a', { id: 'one' });
    expect(story.inject('a', { id: 'one' }).answer).toEqual(answer);
  });

  it('are fewer once some are over', () => {
    const story = opened(1);
    story.inject('a', { ttlTurns: 1 });
    story.turn('a');
    expect(story.ask('a', { body: 'x' })).not.toHaveProperty('refusal');
  });
});
