// What a tenant's ledger tells, in the shape of the naive model's judgement.
import { compareCodePoints, type Event } from '#expectations';

interface Told {
  readonly agentId: string;
  readonly expectationId: string;
  [field: string]: unknown;
}

type OfExpectation = { readonly agentId: string; readonly expectationId: string };

/** The records, lapses and refusals that the events tell of, in a vector's shape. */
export function toldBy(events: readonly Event[]): { records: unknown[]; lapses: unknown[]; refusals: unknown[] } {
  const records: Told[] = [];
  const lapses: unknown[] = [];
  const refusals: unknown[] = [];
  const latest = (of: OfExpectation): Told => {
    const found = records.findLast((one) => one.agentId === of.agentId && one.expectationId === of.expectationId);
    if (found === undefined) throw new Error(`the ledger speaks of ${of.expectationId}, which it has not recorded`);
    return found;
  };
  for (const event of events) {
    switch (event.type) {
      case 'expectationRecorded': {
        const { agentId, expectationId, projectedDueAt, dueAt, lineage } = event;
        records.push({ agentId, expectationId, status: 'open', projectedDueAt, dueAt, lineage, lapses: [] });
        break;
      }
      case 'expectationSuspended':
        latest(event)['suspended'] = true;
        break;
      case 'expectationReleased':
        delete latest(event)['suspended'];
        break;
      case 'expectationReanchored':
        latest(event)['dueAt'] = event.dueAt;
        delete latest(event)['suspended'];
        break;
      case 'expectationSatisfied': {
        const { satisfiedAt, observedAt, source, late, reportedLate } = event;
        Object.assign(latest(event), { status: 'satisfied', satisfiedAt, observedAt, source, late, reportedLate });
        delete latest(event)['suspended'];
        break;
      }
      case 'expectationWithdrawn': {
        const { withdrawn, supersededBy } = event;
        Object.assign(latest(event), { status: 'withdrawn', withdrawn, ...(supersededBy && { supersededBy }) });
        delete latest(event)['suspended'];
        break;
      }
      case 'expectationLapsed': {
        const { agentId, contextId, taskId, messageId, lapse } = event;
        (latest(event)['lapses'] as unknown[]).push(lapse.lapse);
        lapses.push({ agentId, contextId, taskId, messageId, lapse });
        break;
      }
      case 'expectationRefused':
        if (!event.reported) break;
        refusals.push({ agentId: event.agentId, expectationId: event.expectationId, code: event.code });
        break;
      default:
    }
  }
  // Of one id, in the order recorded: the sort is stable.
  records.sort(
    (left, right) =>
      compareCodePoints(left.agentId, right.agentId) || compareCodePoints(left.expectationId, right.expectationId),
  );
  return { records, lapses, refusals };
}
