// A task of the listening agent that expects flights to depart.
const uri = 'https://rsaxb.com/a2a/expectations/v1';

/** Each id is the expectation's, its flight's, and the key of the fact that satisfies it. */
export function taskOf(ids: readonly string[], dueAt: string): unknown {
  const expectations = ids.map((id) => ({
    expectationId: id,
    kind: 'flight.departure',
    subject: { type: 'flight', id },
    expects: `${id} departs`,
    satisfiedBy: { factKey: id },
    dueAt,
    basis: 'contract',
  }));
  const status = { state: 'TASK_STATE_COMPLETED' };
  const artifacts = [{ artifactId: 'a', parts: [], metadata: { [uri]: { expectations } } }];
  return { id: `task-${ids[0] ?? ''}`, contextId: 'context', status, artifacts };
}
