// Dedupe, and the same id again (reminders, *Dedupe* and *Inject*).
import { ReminderStory } from '#testing';

let story: ReminderStory;
beforeEach(() => {
  story = new ReminderStory();
  story.open('a');
  story.open('b');
});

const session = 'REMINDER_PROPAGATION_SESSION';
const none = 'REMINDER_PROPAGATION_NONE';

describe('a newer reminder with the same dedupe key', () => {
  it('displaces the one before it in its scope, says how many, and tells the streams', () => {
    story.inject('a', { id: 'old', dedupeKey: 'pr', propagate: none });
    const { answer, updates } = story.inject('a', { id: 'new', dedupeKey: 'pr', propagate: none });
    expect(answer).toEqual({ reminderId: 'new', dedupedCount: 1, acceptedAt: expect.any(String) });
    expect(updates).toEqual(['a new', 'a old REMINDER_DEDUPED']);
    expect(story.begin('a').told).toEqual(['a new begin']);
  });

  it('of the context displaces the context’s, whichever task either was addressed to', () => {
    story.inject('a', { id: 'old', dedupeKey: 'pr', propagate: session });
    const { answer, updates } = story.inject('b', { id: 'new', dedupeKey: 'pr', propagate: session });
    expect(answer.dedupedCount).toBe(1);
    expect(updates).toEqual(['a new', 'b new', 'a old REMINDER_DEDUPED', 'b old REMINDER_DEDUPED']);
  });

  it('leaves alone those of another scope: another task’s, the context’s', () => {
    story.inject('a', { id: 'of a', dedupeKey: 'pr', propagate: none });
    story.inject('a', { id: 'of all', dedupeKey: 'pr', propagate: session });
    expect(story.inject('b', { id: 'of b', dedupeKey: 'pr', propagate: none }).answer.dedupedCount).toBe(0);
    expect(story.begin('a').told).toEqual(['a of a begin', 'a of all begin']);
  });

  it('displaces one that waits for a later turn', () => {
    story.inject('a', { id: 'later', dedupeKey: 'pr', firedAtTurn: 9 });
    expect(story.inject('a', { id: 'now', dedupeKey: 'pr' }).answer.dedupedCount).toBe(1);
  });

  it('displaces nothing that is over', () => {
    story.inject('a', { id: 'old', dedupeKey: 'pr', ttlTurns: 1 });
    story.turn('a');
    expect(story.inject('a', { id: 'new', dedupeKey: 'pr' }).answer.dedupedCount).toBe(0);
  });
});

it('without a key nothing is displaced', () => {
  story.inject('a', { id: 'one', body: 'the same' });
  expect(story.inject('a', { id: 'two', body: 'the same' }).answer.dedupedCount).toBe(0);
  expect(story.begin('a').told).toHaveLength(2);
});

describe('the same id again', () => {
  it('with the same content changes nothing and answers as before', () => {
    story.inject('a', { id: 'zero', dedupeKey: 'pr' });
    const { answer } = story.inject('a', { id: 'one', dedupeKey: 'pr', tags: ['x'] });
    const before = story.state;
    const again = story.inject('a', { id: 'one', dedupe_key: 'pr', tags: [' x ', 'x'], mode: 'finish_step' });
    expect(again).toEqual({ answer, told: [], updates: [] });
    expect(story.state).toBe(before);
  });

  it.each([
    ['after it was displaced', (): unknown => story.inject('a', { id: 'two', dedupeKey: 'pr' })],
    ['after it expired', (): unknown => story.turn('a')],
  ])('answers as before %s', (_, happens) => {
    const reminder = { id: 'one', dedupeKey: 'pr', ttlTurns: 1 };
    const { answer } = story.inject('a', reminder);
    happens();
    expect(story.inject('a', reminder)).toEqual({ answer, told: [], updates: [] });
  });

  it('of the context, by way of another task, is the same reminder', () => {
    const { answer } = story.inject('a', { id: 'one' });
    expect(story.inject('b', { id: 'one' }).answer).toEqual(answer);
  });

  it.each([
    ['body', { body: 'other' }],
    ['scope', { propagate: none }],
    ['turns', { ttlTurns: 2 }],
    ['mode', { mode: 'interrupt_immediate' }],
  ])('with another %s is refused', (_, other) => {
    story.inject('a', { id: 'one' });
    expect(story.ask('a', { id: 'one', body: 'one', ...other })).toEqual({
      refusal: { code: 'id_reused', field: 'reminder.id', message: expect.any(String) },
    });
  });

  it('is another reminder where it is another task’s own', () => {
    story.inject('a', { id: 'one', propagate: none });
    story.inject('b', { id: 'one', propagate: none, body: 'other' });
    expect(story.begin('a').told).toEqual(['a one begin']);
    expect(story.begin('b').told).toEqual(['b one begin']);
  });

  it('is new once what it named is forgotten with its task', () => {
    story.inject('a', { id: 'one', propagate: none });
    story.finish('a');
    story.open('a');
    expect(story.inject('a', { id: 'one', propagate: none, body: 'other' }).answer.reminderId).toBe('one');
  });
});
