// The order of the reasons to refuse: of several that hold, the first is the one given.
import {
  artifact,
  configured,
  expectationRecorded,
  expectationSatisfied,
  factRecorded,
  folded,
  given,
  raising,
  t,
} from '#testing';
import { decide } from './decide.ts';
import { refusalCodes } from './refusal.ts';

const subject = { type: 'shipment', id: 'S1' };
const open = expectationRecorded({ expectationId: 'open' });
/** Hangs from what the candidate replaces. */
const behind = expectationRecorded({
  expectationId: 'behind',
  content: { satisfiedBy: { factKey: 'b' }, anchor: { expectationId: 'open', offset: 'PT1M' } },
});
const closed = expectationRecorded({ expectationId: 'closed', content: { satisfiedBy: { factKey: 'c' } } });
const history = [
  configured({ settings: { lineageBound: 0, maxOpenPerSubject: 1, maxOpenPerAgent: 1 } }),
  open,
  behind,
  closed,
  factRecorded({ fact: { factKey: 'c' } }),
  expectationSatisfied({ expectationId: 'closed', factKey: 'c', factNumber: 1 }),
];

/** Everything is wrong with it; each step mends what the code before it was about, and nothing else. */
const faulty = {
  expectationId: 'behind',
  kind: 'shipment.teleport',
  subject,
  expects: 'S1 departs',
  satisfiedBy: { factKey: 'departed:S1' },
  dueAt: 'soon',
  basis: 'observed',
  supersedes: 'nobody',
  anchor: { expectationId: 'behind', offset: 'PT1M' },
};
const steps = [
  faulty,
  { dueAt: t(60), anchor: { expectationId: 'open', offset: 'PT1M' } },
  { expectationId: 'new', anchor: faulty.anchor },
  { kind: 'shipment.departure' },
  { supersedes: 'closed' },
  { supersedes: 'open' },
  { dueAt: t(61) },
  { lineage: 'within its bound from here on' },
  { anchor: undefined },
  { subject: { type: 'shipment', id: 'S2' } },
  { agent: 'within its bound from here on' },
];

it('is that of the table', () => {
  const codes: unknown[] = [];
  let content: Record<string, unknown> = {};
  for (const step of steps) {
    content = JSON.parse(JSON.stringify({ ...content, ...step })) as Record<string, unknown>;
    const settings = {
      ...('lineage' in content ? { lineageBound: 1 } : {}),
      ...('agent' in content ? { maxOpenPerAgent: 2 } : {}),
    };
    const [event] = decide(folded([...history, configured({ settings })]), artifact({ expectations: [content] }));
    codes.push(event?.type === 'expectationRefused' ? event.code : event?.type);
  }
  expect(codes).toEqual([...refusalCodes, 'expectationRecorded']);
});

describe('a refusal', () => {
  const refused = {
    ...{ type: 'expectationRefused', at: t(0), agentId: 'booking', expectationId: 'e1' },
    ...{ taskId: 'task-1', contextId: 'context-1' },
    ...{ code: 'undeclared_kind', message: expect.stringContaining('shipment.teleport') },
    ...{ contentHash: expect.stringMatching(/^[0-9a-f]{32}$/), reported: true },
  };
  const teleport = expectationRecorded({ content: { kind: 'shipment.teleport' } });

  it('does not take what is listed beside it with it', () => {
    const e2 = expectationRecorded({ expectationId: 'e2' });
    const events = decide(folded([]), raising(teleport, e2));
    expect(events).toEqual([refused, e2]);
  });

  it('is reported once, and answered each time', () => {
    const state = folded([]);
    decide(state, raising(teleport));
    expect(decide(state, raising(teleport))).toEqual([{ ...refused, reported: false }]);
  });

  it('uses up no id: what is possible later is recorded', () => {
    const state = folded([]);
    decide(state, raising(teleport));
    const e1 = expectationRecorded();
    expect(decide(state, raising(e1))).toEqual([e1]);
  });

  it('names the field, and no id where none can be read', () => {
    const contents = [null, { ...teleport.content, expectationId: '' }, { ...teleport.content, grace: null }];
    expect(decide(folded([]), artifact({ expectations: contents }))).toEqual([
      { ...refused, expectationId: null, code: 'invalid', message: 'an expectation must be a JSON object' },
      { ...refused, expectationId: null, code: 'invalid', message: 'expectationId: must be a non-empty string' },
      { ...refused, code: 'invalid', message: expect.stringMatching(/^grace: must be an ISO 8601 duration/) },
    ]);
  });

  it('is not given where the bound is just reached', () => {
    const bound = configured({ settings: { maxOpenPerSubject: 1, maxOpenPerAgent: 1, lineageBound: 1 } });
    const e1 = expectationRecorded();
    given(bound).when(raising(e1)).then(e1);
  });
});
