// N03: a fact that the log takes a millisecond before the end of the grace, at it, and after it; over HTTP.
import { decodeLedger, encodeInbox, partitionOf, type UntimedInput } from '#event-log';
import { formatInstant } from '#expectations';
import { type EdgeApp, startEdgeApp } from '#testing';
import { FactsModule } from '../../apps/facts/src/facts.module.ts';

const uri = 'https://rsaxb.com/a2a/expectations/v1';
const due = Math.floor(Date.now() / 1_000) * 1_000;
const hourMs = 3_600_000;

describe('the end of the grace', () => {
  let edge: EdgeApp;
  let now = due - hourMs;

  beforeAll(async () => {
    edge = await startEdgeApp([FactsModule], () => now);
  });
  afterAll(() => edge.close());

  async function tell(tenant: string, ...inputs: readonly UntimedInput[]): Promise<void> {
    const records = inputs.map((input) => ({ tenant, value: encodeInbox(input) }));
    await edge.log.append(partitionOf(tenant, edge.log.partitionCount), records);
  }

  async function eventsOf(tenant: string) {
    const partition = partitionOf(tenant, edge.log.partitionCount);
    const records = await edge.log.read('ledger', partition, { from: 0, limit: 1_000 });
    return records.flatMap((record) => {
      const entry = decodeLedger(record.value);
      return 'events' in entry && entry.tenant === tenant ? entry.events : [];
    });
  }

  const cases = [
    { grace: 'PT2H', graceMs: 2 * hourMs },
    { grace: undefined, graceMs: 0 },
    { grace: 'PT0S', graceMs: 0 },
  ].flatMap((each) => [-1, 0, 1].map((offMs) => ({ ...each, offMs, isOverdue: offMs > 0 })));

  it.each(cases)('of $grace, $offMs ms from it: overdue $isOverdue', async ({ grace, graceMs, offMs, isOverdue }) => {
    const tenant = `t-${String(grace).toLowerCase()}-${offMs + 1}`;
    const key = await edge.key({ tenant, scopes: ['facts'] });
    now = due - hourMs;
    const kind = { kind: 'shipment.departure', subjectType: 'shipment', describes: 'd', basis: 'observed' };
    const expectation = {
      ...{ expectationId: 'e', kind: kind.kind, subject: { type: 'shipment', id: 'S' }, expects: 'it departs' },
      ...{ satisfiedBy: { factKey: 'k' }, dueAt: formatInstant(due), basis: 'observed', ...(grace && { grace }) },
    };
    const artifact = { artifactId: 'a', metadata: { [uri]: { expectations: [expectation] } } };
    await tell(
      tenant,
      { type: 'agentDeclared', agentId: 'g', params: { keepsTime: false, lapseSkill: 's', kinds: [kind] } },
      { type: 'artifactObserved', agentId: 'g', taskId: 't', contextId: 'c', artifact },
    );
    while (!(await eventsOf(tenant)).some(({ type }) => type === 'expectationRecorded'));
    now = due + graceMs + offMs;
    const json = { factKey: 'k', observedAt: formatInstant(due + 1) };
    expect(await edge.call('POST', '/v1/facts', { key, json })).toMatchObject({
      status: 200,
      body: { results: [{ outcome: 'accepted', satisfied: [{ expectationId: 'e' }] }] },
    });
    const types = (await eventsOf(tenant)).map(({ type }) => type);
    expect(types.filter((type) => type === 'expectationLapsed')).toHaveLength(isOverdue ? 1 : 0);
    if (isOverdue) expect(types.indexOf('expectationLapsed')).toBeLessThan(types.indexOf('expectationSatisfied'));
  });
});
