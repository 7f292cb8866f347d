// Rules of the core as sentences: given events, when one input, then all fields of all events.
import {
  type AgentDeclaredEvent,
  decide,
  type Event,
  evolve,
  type Input,
  settle,
  State,
  takeSnapshot,
} from '#expectations';
import { t } from '../ledger/events.ts';

/** What is decided has to be this, all of it and in this order; nothing where nothing is named. */
export interface Then {
  readonly then: (...expected: readonly Event[]) => void;
}

/** Folds the events, the card of the agent `booking` before them; then decides one input. */
export function given(...history: readonly Event[]): { readonly when: (input: Input) => Then } {
  return {
    when: (input) => ({
      then: (...expected) => {
        const deciding = folded(history);
        const folding = folded(history);
        const events = decide(deciding, input);
        expect(events).toEqual(expected);
        if (events.length === 0) return;
        fold(folding, events);
        expect([...takeSnapshot(folding)]).toEqual([...takeSnapshot(deciding)]);
      },
    }),
  };
}

/** The card as first read: two steps of a shipment, and questions. */
export const cardRead: AgentDeclaredEvent = {
  type: 'agentDeclared',
  at: t(0),
  agentId: 'booking',
  params: {
    keepsTime: false,
    lapseSkill: 'handle_lapse',
    kinds: [
      { kind: 'shipment.departure', subjectType: 'shipment' },
      { kind: 'shipment.arrival', subjectType: 'shipment' },
      { kind: 'question.answer', subjectType: 'task' },
    ],
  },
};

/** The state after these events of one tenant's ledger. */
export function folded(history: readonly Event[]): State {
  const state = new State();
  fold(state, [cardRead, ...history]);
  return state;
}

/** As from a ledger: through JSON. */
function fold(state: State, events: readonly Event[]): void {
  for (const event of JSON.parse(JSON.stringify(events)) as Event[]) evolve(state, event);
  settle(state);
}
