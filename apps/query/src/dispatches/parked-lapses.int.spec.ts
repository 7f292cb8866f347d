// Parked lapses, over HTTP, on PostgreSQL: retried and discarded by an operator, and refused where they are not parked.
import { decodeInbox, partitionOf } from '#event-log';
import {
  dispatchFailed,
  dispatchVoided,
  expectationLapsed,
  expectationRecorded,
  type ReadApp,
  startReadApp,
  t,
} from '#testing';
import { QueryModule } from '../query.module.ts';

let app: ReadApp;
let operator: string;
const named = (expectationId: string) => ({ expectationId });
const of = (expectationId: string) => ({ agentId: 'booking', expectationId, lapse: 'overdue' });
const by = { by: 'olga', ...of(''), lapse: 'overdue' } as const;

beforeAll(async () => {
  app = await startReadApp([QueryModule]);
  operator = await app.edge.key({ scopes: ['operate'], name: 'olga' });
  const ids = ['p1', 'p2', 'p3', 'fresh'];
  await app.tell(
    'acme',
    ids.map((id) => expectationRecorded(named(id))),
    ids.map((id) => expectationLapsed(named(id))),
    ['p1', 'p2', 'p3'].map((id) => dispatchFailed({ ...named(id), outcome: 'parked', cause: 'status 404' })),
  );
});
afterAll(() => app.close());

const post = (what: 'retry' | 'discard', json: unknown, key = operator) =>
  app.edge.call('POST', `/v1/dispatches/${what}`, { key, json, headers: { prefer: 'wait=0' } });

async function asked(): Promise<unknown[]> {
  const partition = partitionOf('acme', app.edge.log.partitionCount);
  const records = await app.edge.log.read('inbox', partition, { from: 0, limit: 1_000 });
  return records.map(({ value }) => decodeInbox(value));
}

it('are shown with the cause', async () => {
  expect(await app.get('/v1/dispatches?state=parked&expectationId=p1')).toMatchObject({
    items: [{ expectationId: 'p1', state: 'parked', outcome: 'parked', cause: 'status 404' }],
  });
});

it('are retried, or discarded for a reason, by the name of the key', async () => {
  expect(await post('retry', of('p1'))).toMatchObject({
    status: 200,
    body: { results: [{ ...of('p1'), outcome: 'asked' }], position: expect.stringMatching(/^\d+-\d+$/) },
  });
  expect(await post('discard', { ...of('p2'), reason: 'by telephone' })).toMatchObject({ status: 200 });
  expect(await asked()).toEqual([
    { type: 'dispatchRetryRequested', ...of('p1'), by: 'olga' },
    { type: 'dispatchDiscardRequested', ...of('p2'), reason: 'by telephone', by: 'olga' },
  ]);
});

it('of several, each is answered by itself', async () => {
  const before = (await asked()).length;
  expect(await post('retry', [of('p3'), of('fresh'), of('nobody')])).toMatchObject({
    status: 207,
    body: {
      results: [
        { ...of('p3'), outcome: 'asked' },
        { ...of('fresh'), outcome: 'refused', code: 'not_parked', message: 'its dispatch is pending, not parked' },
        { ...of('nobody'), outcome: 'refused', code: 'unknown' },
      ],
    },
  });
  expect(await asked()).toHaveLength(before + 1);
});

it.each<[string, 'retry' | 'discard', unknown, number, object]>([
  ['one that is not parked', 'retry', of('fresh'), 409, { code: 'not_parked' }],
  ['one that is not there', 'discard', { ...of('nobody'), reason: 'r' }, 404, { code: 'unknown' }],
  ['one of another kind', 'retry', { ...of('p1'), lapse: 'skipped' }, 404, { code: 'unknown' }],
  ['no kind', 'retry', { ...of('p1'), lapse: 'late' }, 422, { field: 'lapse' }],
  ['no agent', 'retry', { ...of('p1'), agentId: undefined }, 422, { field: 'agentId' }],
  ['no reason', 'discard', of('p1'), 422, { field: 'reason' }],
  ['somebody else’s name', 'retry', { ...of('p1'), by: 'otto' }, 422, { field: 'by' }],
  ['no reason for the second', 'discard', [{ ...of('p1'), reason: 'r' }, of('p1')], 422, { field: '[1].reason' }],
  ['nothing', 'retry', [], 400, {}],
])('are asked nothing of where the body names %s', async (_, what, json, status, body) => {
  const before = (await asked()).length;
  expect(await post(what, json)).toMatchObject({ status, body });
  expect(await asked()).toHaveLength(before);
});

it('are for an operator of their tenant alone', async () => {
  expect(await post('retry', of('p1'), app.key)).toMatchObject({ status: 403 });
  const other = await app.edge.key({ tenant: 'globex', scopes: ['operate'] });
  expect(await post('retry', of('p1'), other)).toMatchObject({ status: 404 });
});

it('are pending once they are retried, and void once they are discarded, whatever is said of them after', async () => {
  const shown = async (id: string) =>
    ((await app.get(`/v1/dispatches?expectationId=${id}`)) as { items: unknown[] }).items[0];
  await app.tell(
    'acme',
    [{ type: 'dispatchRetried', at: t(70), ...by, ...named('p1') }],
    [{ type: 'dispatchRetried', at: t(70), ...by, ...named('p2') }],
    [dispatchFailed({ ...named('p2'), at: t(71), outcome: 'parked', attempt: 2 })],
    [{ type: 'dispatchDiscarded', at: t(72), ...by, ...named('p2'), reason: 'by telephone' }],
    [{ type: 'dispatchRetried', at: t(73), ...by, ...named('p2') }],
    [dispatchVoided({ ...named('p2'), at: t(74) })],
  );
  expect(await shown('p1')).toMatchObject({ state: 'pending', changedAt: t(70) });
  expect(await shown('p2')).toMatchObject({ state: 'voided', cause: 'discarded', changedAt: t(72) });
});
