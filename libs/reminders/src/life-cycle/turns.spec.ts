// Turns, how long reminders live, and what a running turn is told when (reminders, *Turn* and *Mode*).
import { ReminderStory } from '#testing';

let story: ReminderStory;
beforeEach(() => {
  story = new ReminderStory();
  story.open('a');
});

describe('a reminder that comes while its task rests', () => {
  it.each(['interrupt_immediate', 'finish_step', 'wait_for_completion'])(
    'is in the next turn from its beginning, whatever its mode: %s',
    (mode) => {
      expect(story.inject('a', { id: 'one', mode }).told).toEqual([]);
      expect(story.begin('a').told).toEqual(['a one begin']);
      expect(story.has('a')).toEqual(['one']);
    },
  );

  it('is not told to a turn that is told of afterwards, and was told others', () => {
    story.inject('a', { id: 'one', ttlTurns: 1 });
    story.inject('a', { id: 'late', ttlTurns: 1 });
    expect(story.begin('a', undefined, ['one']).told).toEqual(['a one begin']);
    story.end('a');
    expect(story.begin('a').told).toEqual(['a late begin']);
  });

  it('is told in the order accepted, and to no turn twice', () => {
    story.inject('a', { id: 'one' });
    story.inject('a', { id: 'two' });
    expect(story.begin('a').told).toEqual(['a one begin', 'a two begin']);
    expect(story.pass('a').told).toEqual([]);
  });
});

describe('a reminder that comes while a turn runs', () => {
  beforeEach(() => void story.begin('a'));

  it('interrupt_immediate: the turn is told at once', () => {
    expect(story.inject('a', { id: 'one', mode: 'interrupt_immediate' }).told).toEqual(['a one at_once']);
    expect(story.pass('a').told).toEqual([]);
  });

  it('finish_step: the turn is told at its next step boundary', () => {
    expect(story.inject('a', { id: 'one' }).told).toEqual([]);
    expect(story.pass('a').told).toEqual(['a one step']);
    expect(story.pass('a').told).toEqual([]);
  });

  it('finish_step: else the next turn is', () => {
    story.inject('a', { id: 'one' });
    story.end('a');
    expect(story.begin('a').told).toEqual(['a one begin']);
  });

  it('wait_for_completion: the next turn is told', () => {
    expect(story.inject('a', { id: 'one', mode: 'wait_for_completion' }).told).toEqual([]);
    expect(story.pass('a').told).toEqual([]);
    story.end('a');
    expect(story.begin('a').told).toEqual(['a one begin']);
  });

  it('is told to every running turn of the context, where it is the context’s', () => {
    story.begin('b');
    story.open('c');
    expect(story.inject('a', { id: 'one', mode: 'interrupt_immediate' }).told).toEqual([
      'a one at_once',
      'b one at_once',
    ]);
  });

  it('is told to its own task’s alone, where it is the task’s', () => {
    story.begin('b');
    const mine = { id: 'one', mode: 'interrupt_immediate', propagate: 'REMINDER_PROPAGATION_NONE' };
    expect(story.inject('a', mine).told).toEqual(['a one at_once']);
    story.end('b');
    expect(story.begin('b').told).toEqual([]);
  });
});

describe('ttlTurns', () => {
  it('1: it is told to one turn and expires with it', () => {
    story.inject('a', { id: 'one', ttlTurns: 1 });
    expect(story.turn('a')).toEqual({ told: ['a one begin'], updates: ['a one REMINDER_EXPIRED'] });
    expect(story.turn('a')).toEqual({ told: [], updates: [] });
  });

  it('3: it is told to three', () => {
    story.inject('a', { id: 'one', ttlTurns: 3 });
    expect(story.turn('a').updates).toEqual([]);
    expect(story.turn('a').updates).toEqual([]);
    expect(story.turn('a')).toEqual({ told: ['a one begin'], updates: ['a one REMINDER_EXPIRED'] });
  });

  it.each(['finish_step', 'wait_for_completion'])(
    'is not counted down by a turn that it came too late for: %s',
    (mode) => {
      story.begin('a');
      story.inject('a', { id: 'one', ttlTurns: 1, mode });
      expect(story.end('a').updates).toEqual([]);
      expect(story.turn('a')).toEqual({ told: ['a one begin'], updates: ['a one REMINDER_EXPIRED'] });
    },
  );

  it('is counted down by the turn that was told at once, or between steps', () => {
    story.begin('a');
    story.inject('a', { id: 'at once', ttlTurns: 1, mode: 'interrupt_immediate' });
    story.inject('a', { id: 'between', ttlTurns: 1 });
    story.pass('a');
    expect(story.end('a').updates).toEqual(['a at once REMINDER_EXPIRED', 'a between REMINDER_EXPIRED']);
  });

  it('of the context is counted down by the turns of every task, those that overlap too', () => {
    story.inject('a', { id: 'one', ttlTurns: 3 });
    story.turn('b');
    story.begin('a');
    story.begin('b');
    expect(story.end('a').updates).toEqual([]);
    expect(story.end('b').updates).toEqual(['a one REMINDER_EXPIRED', 'b one REMINDER_EXPIRED']);
  });

  it('of a task is not counted down by another’s turns', () => {
    story.inject('a', { id: 'one', ttlTurns: 1, propagate: 'REMINDER_PROPAGATION_NONE' });
    expect(story.turn('b')).toEqual({ told: [], updates: [] });
    expect(story.turn('a').told).toEqual(['a one begin']);
  });

  it('absent: it lives until its scope ends', () => {
    story.inject('a', { id: 'one' });
    for (let turn = 0; turn < 20; turn += 1) expect(story.turn('a')).toEqual({ told: ['a one begin'], updates: [] });
  });
});

describe('firedAtTurn', () => {
  const firedAt = (): readonly number[] => story.state.live.map(({ reminder }) => reminder.firedAtTurn);

  it('is the turn it was accepted in, at rest the one to come', () => {
    story.inject('a', { id: 'before any' });
    story.begin('a');
    story.inject('a', { id: 'in the first' });
    story.end('a');
    story.inject('a', { id: 'after it', firedAtTurn: 1 });
    expect(firedAt()).toEqual([1, 1, 2]);
  });

  it('later: it is neither told nor counted down before', () => {
    story.inject('a', { id: 'one', firedAtTurn: 3, ttlTurns: 1, mode: 'interrupt_immediate' });
    expect(firedAt()).toEqual([3]);
    for (const turn of ['first', 'second']) {
      expect(story.begin('a', turn).told).toEqual([]);
      expect(story.pass('a').told).toEqual([]);
      expect(story.end('a').updates).toEqual([]);
    }
    expect(story.turn('a')).toEqual({ told: ['a one begin'], updates: ['a one REMINDER_EXPIRED'] });
  });

  it('of the turn that runs is told to it', () => {
    story.turn('a');
    story.begin('a');
    const due = { id: 'one', firedAtTurn: 2, mode: 'interrupt_immediate' };
    expect(story.inject('a', due).told).toEqual(['a one at_once']);
  });

  it('later defers on the addressed task alone', () => {
    story.begin('b');
    const told = story.inject('a', { id: 'one', firedAtTurn: 2, mode: 'interrupt_immediate' }).told;
    expect(told).toEqual(['b one at_once']);
    expect(story.begin('a').told).toEqual([]);
  });
});

describe('a turn', () => {
  it('that begins again with its own id is the same, and still has what it was told', () => {
    story.inject('a', { id: 'one', ttlTurns: 2 });
    story.begin('a', 'run');
    const before = story.state;
    expect(story.begin('a', 'run')).toEqual({ told: [], updates: [] });
    expect(story.state).toBe(before);
    expect(story.has('a')).toEqual(['one']);
  });

  it('that another follows without its end is over then', () => {
    story.inject('a', { id: 'one', ttlTurns: 1 });
    story.begin('a', 'run');
    expect(story.begin('a', 'next')).toEqual({ told: [], updates: ['a one REMINDER_EXPIRED'] });
  });

  it('that nobody began neither ends nor has steps', () => {
    story.inject('a', { id: 'one', ttlTurns: 1 });
    const before = story.state;
    story.pass('a');
    story.end('a');
    story.pass('of nobody');
    story.end('of nobody');
    expect(story.state).toBe(before);
  });

  it('opens a task that nobody opened', () => {
    story.inject('a', { id: 'one' });
    expect(story.begin('new').told).toEqual(['new one begin']);
  });
});
