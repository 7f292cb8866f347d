// Which parked lapses an operator wants retried or discarded, checked.
import type { DispatchDiscardRequested, DispatchRetryRequested } from '#event-log';
import { type BodyItems, invalidField, Problem, readFields, readText } from '#runtime';
import { lapseKinds } from '../expectations/expectation-filter.ts';

const maxReasonLength = 1_000;
/** More than a person names at once; each is looked for. */
const mostItems = 1_000;

export type LapseAct = DispatchRetryRequested | DispatchDiscardRequested;

/** Of each item the act. Throws `Problem` naming the field of the first that cannot be read: none is asked for then. */
export function readLapseActs<Type extends LapseAct['type']>(
  { single, items }: BodyItems,
  type: Type,
  by: string,
): readonly Extract<LapseAct, { type: Type }>[] {
  if (items.length === 0 || items.length > mostItems) {
    throw new Problem('malformed-body', `the body must have 1 to ${mostItems} items`);
  }
  return items.map((item, index) => {
    const path = single ? '' : `[${index}]`;
    const fields = readFields('value' in item ? item.value : undefined, path, [
      'agentId',
      'expectationId',
      'lapse',
      'reason',
    ]);
    const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
    const lapse = lapseKinds.find((kind) => kind === fields['lapse']);
    if (lapse === undefined) throw invalidField(at('lapse'), `must be one of ${lapseKinds.join(', ')}`);
    const needsReason = type === 'dispatchDiscardRequested' || fields['reason'] !== undefined;
    return {
      type,
      agentId: readText(fields['agentId'], at('agentId')),
      expectationId: readText(fields['expectationId'], at('expectationId')),
      lapse,
      ...(needsReason && { reason: readText(fields['reason'], at('reason'), maxReasonLength) }),
      by,
    } as Extract<LapseAct, { type: Type }>;
  });
}
