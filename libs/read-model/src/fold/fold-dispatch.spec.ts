import type { Event } from '#expectations';
import { dispatchAcknowledged, dispatchAttempted, expectationLapsed } from '#testing';
import { Changes } from './changes.ts';
import { foldEvent } from './fold-event.ts';

function folded(changes: Changes, ...events: Event[]): Changes {
  events.forEach((event, eventIndex) => foldEvent(changes, { tenant: 'acme', ledgerOffset: 7, eventIndex }, event));
  return changes;
}

const again = dispatchAttempted({ attempt: 2, possibleDuplicate: true });

describe('a lapse, folded', () => {
  it('is there once, as far as its attempts say nothing else', () => {
    const { lapsed } = folded(new Changes(), expectationLapsed(), dispatchAttempted(), dispatchAcknowledged());
    expect([...lapsed.values()]).toMatchObject([{ possibleDuplicate: false }]);
  });

  it('may be there twice from an attempt on that may double', () => {
    const story = [expectationLapsed(), dispatchAttempted(), again, dispatchAcknowledged({ attempt: 2 })];
    expect([...folded(new Changes(), ...story).lapsed.values()]).toMatchObject([{ possibleDuplicate: true }]);
  });

  it('that is stored is changed so, and never back', () => {
    const { unfinishedPatches } = folded(new Changes(), again, dispatchAttempted({ attempt: 3 }));
    expect([...unfinishedPatches.values()]).toMatchObject([{ possibleDuplicate: true, attempts: 3 }]);
  });
});
