// What ends reminders from outside, and what is left of a context then (reminders, *Scope* and *Compaction*).
import { ReminderStory } from '#testing';
import { evolve } from './evolve.ts';
import { goneCount, isOver } from './state.ts';

let story: ReminderStory;
beforeEach(() => {
  story = new ReminderStory();
  story.open('a');
  story.open('b');
});

describe('the end of a task', () => {
  it('expires its own reminders and not the context’s', () => {
    story.inject('a', { id: 'mine', propagate: 'REMINDER_PROPAGATION_NONE' });
    story.inject('a', { id: 'ours' });
    expect(story.finish('a').updates).toEqual(['a mine REMINDER_EXPIRED']);
    expect(story.begin('b').told).toEqual(['b ours begin']);
  });

  it('expires the context’s where it is the last that is open', () => {
    story.inject('a', { id: 'ours' });
    story.finish('a');
    expect(story.finish('b').updates).toEqual(['b ours REMINDER_EXPIRED']);
  });

  it('counts for what its last turn was told, once', () => {
    story.inject('a', { id: 'one', ttlTurns: 1 });
    story.begin('a');
    expect(story.finish('a').updates).toEqual(['a one REMINDER_EXPIRED', 'b one REMINDER_EXPIRED']);
    expect(story.finish('b').updates).toEqual([]);
  });

  it('of a task that is not open changes nothing', () => {
    story.inject('a', { id: 'one' });
    const before = story.state;
    expect(story.finish('unknown').updates).toEqual([]);
    expect(story.state).toBe(before);
  });
});

describe('a context', () => {
  it('gives its reminders to tasks that come later', () => {
    story.inject('a', { id: 'ours', ttlTurns: 2 });
    expect(story.turn('later').told).toEqual(['later ours begin']);
    expect(story.turn('later').updates).toEqual(['a', 'b', 'later'].map((task) => `${task} ours REMINDER_EXPIRED`));
  });

  it('whose tasks are over is forgotten whole', () => {
    story.inject('a', { id: 'one' });
    story.inject('a', { id: 'two', ttlTurns: 1 });
    story.turn('a');
    expect(isOver(story.state)).toBe(false);
    story.finish('a');
    story.finish('b');
    expect(isOver(story.state)).toBe(true);
    expect(story.state).toEqual(new ReminderStory().state);
  });

  it('remembers so many ids that are gone, and no more', () => {
    story.inject('a', { id: 'the last' });
    const one = { taskId: 'a', acceptedAt: '', contentHash: '', dedupedCount: 0, isSession: true };
    const gone = Array.from({ length: goneCount }, (_, number) => ({ ...one, reminderId: `${number}` }));
    const expired = { type: 'reminderExpired', at: '', taskId: 'a', reminderId: 'the last', cause: 'turns' } as const;
    const after = evolve({ ...story.state, gone }, expired).gone.map(({ reminderId }) => reminderId);
    expect(after).toEqual([...gone.slice(1).map(({ reminderId }) => reminderId), 'the last']);
  });
});

describe('what is carried to an agent elsewhere', () => {
  it('is gone here without a word, and is answered as before where it comes again', () => {
    const { answer } = story.inject('a', { id: 'one' });
    story.inject('a', { id: 'two' });
    expect(story.carry('a', 'one', 'unknown')).toEqual({ told: [], updates: [] });
    expect(story.begin('a').told).toEqual(['a two begin']);
    expect(story.inject('a', { id: 'one' }).answer).toEqual(answer);
  });

  it('changes nothing where it is gone already', () => {
    story.inject('a', { id: 'one' });
    story.carry('a', 'one');
    const before = story.state;
    story.carry('a', 'one');
    expect(story.state).toBe(before);
  });
});

describe('a compaction', () => {
  it('expires what need not be preserved, of the context and of each task, and leaves the rest', () => {
    story.inject('a', { id: 'kept', preserveOnCompact: true });
    story.inject('a', { id: 'ours' });
    story.inject('b', { id: 'mine', propagate: 'REMINDER_PROPAGATION_NONE' });
    const expired = ['a ours', 'b ours', 'b mine'].map((which) => `${which} REMINDER_EXPIRED`);
    expect(story.compact().updates).toEqual(expired);
    expect(story.begin('a').told).toEqual(['a kept begin']);
  });

  it('takes it out of the turn that runs, too', () => {
    story.inject('a', { id: 'kept', preserveOnCompact: true, ttlTurns: 1 });
    story.inject('a', { id: 'dropped', ttlTurns: 1 });
    story.begin('a');
    story.compact();
    expect(story.has('a')).toEqual(['kept']);
    expect(story.end('a').updates).toEqual(['a kept REMINDER_EXPIRED', 'b kept REMINDER_EXPIRED']);
  });

  it('of what is all to be preserved changes nothing', () => {
    story.inject('a', { id: 'kept', preserveOnCompact: true });
    const before = story.state;
    story.compact();
    expect(story.state).toBe(before);
  });
});
