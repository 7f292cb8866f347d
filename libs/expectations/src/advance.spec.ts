// A tick decided in pieces says what it says whole, and says whose fault it is where it throws.
import { declared, raised } from '#testing';
import { advance, decide } from './decide.ts';
import type { Event } from './event.ts';
import { formatInstant } from './instant.ts';
import { StateFaultError } from './state-fault-error.ts';
import { State } from './state/state.ts';

const startMs = Date.parse('2026-09-01T00:00:00Z');
const at = formatInstant(startMs);

/** A tenant with so many expectations due at one instant, and one more a second later. */
function herd(count: number): State {
  const state = new State();
  decide(state, { ...declared(), at });
  for (let n = 0; n < count; n += 1) decide(state, { ...raised({ id: `e${n}`, dueAtMs: startMs + 1_000 }), at });
  decide(state, { ...raised({ id: 'later', dueAtMs: startMs + 2_000 }), at });
  return state;
}

const after = formatInstant(startMs + 5_000);

describe('a tick in pieces', () => {
  it('says what it says whole', () => {
    const pieces = [...advance(herd(25), after, 10)];
    expect(pieces.map((piece) => piece.length)).toEqual([10, 10, 6]);
    expect(pieces.flat()).toEqual(decide(herd(25), { type: 'tick', at: after }));
  });

  it('ends with what is left, or with nothing', () => {
    expect([...advance(herd(19), after, 10)].map((piece) => piece.length)).toEqual([10, 10]);
    expect([...advance(herd(1), at, 10)]).toEqual([]);
  });
});

describe('a state that cannot be advanced', () => {
  it('is told apart from an input that cannot be decided', () => {
    const broken = (): State => {
      const state = herd(1);
      Object.defineProperty(state, 'deadlines', {
        get: () => {
          throw new Error('planted');
        },
      });
      return state;
    };
    const advancing = (): Event[][] => [...advance(broken(), after, 10)];
    expect(advancing).toThrow(StateFaultError);
    expect(() => decide(broken(), { type: 'tick', at: after })).toThrow(StateFaultError);
  });
});
