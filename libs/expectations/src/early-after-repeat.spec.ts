// Found by the naive model: a fact said to be of the future, satisfied something as a repeat, then serves as an early one.
import type { Input } from './input.ts';
import { simulate } from './simulate.ts';

const uri = 'https://rsaxb.com/a2a/expectations/v1';
const kinds = [{ kind: 'step', subjectType: 'shipment', describes: 'a step', basis: 'observed' }];

function declared(agentId: string): Input {
  return { type: 'agentDeclared', at: '2026-09-01T00:00:00Z', agentId, params: { kinds } };
}

function raised(
  at: string,
  agentId: string,
  expectationId: string,
  subjectId: string,
  factKey: string,
  dueAt: string,
): Input {
  const subject = { type: 'shipment', id: subjectId };
  const content = {
    expectationId,
    kind: 'step',
    subject,
    expects: 'it',
    satisfiedBy: { factKey },
    dueAt,
    basis: 'observed',
  };
  const artifact = { metadata: { [uri]: { expectations: [content] } } };
  return { type: 'artifactObserved', at, agentId, taskId: 't1', contextId: 'c1', artifact };
}

function reported(at: string): Input {
  return { type: 'factReported', at, reporter: 'feed', fact: { factKey: 'k', observedAt: '2026-09-01T05:00:00Z' } };
}

it('stays on its subjects as of its first receipt, with the first cut', () => {
  const late = '2026-09-01T20:00:00Z';
  const { lapses } = simulate({
    inputs: [
      declared('a'),
      declared('b'),
      raised('2026-09-01T01:00:00Z', 'a', 'waiting', 's1', 'other', '2026-09-01T12:00:00Z'),
      reported('2026-09-01T02:00:00Z'),
      raised('2026-09-01T06:00:00Z', 'a', 'satisfied-by-the-repeat', 's2', 'k', late),
      reported('2026-09-01T07:00:00Z'),
      raised('2026-09-01T07:30:00Z', 'b', 'served-early', 's1', 'k', late),
      { type: 'tick', at: '2026-09-01T13:00:00Z' },
    ],
  });
  expect(lapses).toMatchObject([{ lapse: { expectationId: 'waiting', lastFactAt: '2026-09-01T02:00:00Z' } }]);
});
