// Found by the naive model: a task outlived its memory while something open needed it, and then the memory was widened.
import type { Input } from './input.ts';
import { simulate } from './simulate.ts';

const uri = 'https://rsaxb.com/a2a/expectations/v1';
const kinds = [
  { kind: 'step', subjectType: 'shipment', describes: 'a step', basis: 'observed' },
  { kind: 'answer', subjectType: 'task', describes: 'an answer', basis: 'declared' },
];
const day = (time: string): string => `2026-09-01T${time}Z`;
const ofTask = { agentId: 'booking', taskId: 't1', contextId: 'c1' };

const block = (expectationId: string, kind: string, subject: { type: string; id: string }) => ({
  metadata: {
    [uri]: {
      expectations: [
        {
          expectationId,
          kind,
          subject,
          expects: 'it',
          satisfiedBy: { factKey: 'k' },
          dueAt: day('09:00:00'),
          basis: 'observed',
        },
      ],
    },
  },
});

/** The memory of two hours is over at 03:00, while `e` needs the task; then it is set anew, and `e` is satisfied. */
function story(closedMemory: string): readonly Input[] {
  return [
    { type: 'agentDeclared', at: day('00:00:00'), agentId: 'booking', params: { kinds } },
    { type: 'configured', at: day('00:00:00'), settings: { closedMemory: 'PT2H' } },
    { type: 'statusObserved', at: day('00:30:00'), ...ofTask, state: 'TASK_STATE_WORKING', statusAt: day('00:30:00') },
    {
      type: 'artifactObserved',
      at: day('00:30:00'),
      ...ofTask,
      artifact: block('e', 'step', { type: 'shipment', id: 's' }),
    },
    { type: 'tick', at: day('03:00:00') },
    { type: 'configured', at: day('03:00:00'), settings: { closedMemory } },
    {
      type: 'factReported',
      at: day('03:00:00'),
      reporter: 'feed',
      fact: { factKey: 'k', observedAt: day('03:00:00') },
    },
    {
      type: 'statusObserved',
      at: day('03:00:01'),
      ...ofTask,
      state: 'TASK_STATE_INPUT_REQUIRED',
      statusAt: day('00:00:00'),
      message: block('q', 'answer', { type: 'task', id: 't1' }),
    },
  ];
}

const statusOf = (closedMemory: string): string | undefined =>
  simulate({ inputs: story(closedMemory) }).records.find(({ expectationId }) => expectationId === 'q')?.status;

it('is remembered as long as the longer memory holds it', () => {
  expect(statusOf('PT8H')).toBe('satisfied');
});

it('is forgotten where the memory set anew is over too', () => {
  expect(statusOf('PT1H')).toBe('open');
});
