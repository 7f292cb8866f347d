// Asking for the release of what is held, over HTTP.
import { decodeInbox, partitionOf } from '#event-log';
import { type EdgeApp, startEdgeApp } from '#testing';
import { IntakeModule } from './intake.module.ts';

describe('a release', () => {
  let edge: EdgeApp;
  let operator: string;

  beforeAll(async () => {
    edge = await startEdgeApp([IntakeModule]);
    // Nothing may be decided: what is asked for is looked at in the inbox.
    await edge.decider.stop();
    operator = await edge.key({ tenant: 'default', scopes: ['admin'], name: 'ops' });
  });
  afterAll(() => edge.close());

  const release = (position: string, json: unknown, key = operator) =>
    edge.call('POST', `/v1/holds/${position}/release`, { key, json });

  const asked = async (partition: number): Promise<unknown[]> => {
    const records = await edge.log.read('inbox', partition, { from: 0, limit: 1_000 });
    return records.map(({ tenant, value }) => ({ tenant, ...decodeInbox(value) }));
  };

  it('of a tenant is put into its own partition, with who asked', async () => {
    const partition = partitionOf('acme', edge.log.partitionCount);
    const { status, body } = await release(`${partition}-5`, { tenant: 'acme' });
    expect({ status, body }).toEqual({ status: 202, body: { position: expect.stringMatching(/^\d+-\d+$/) } });
    expect(await asked(partition)).toContainEqual({
      tenant: 'acme',
      type: 'tenantReleaseRequested',
      heldOffset: 5,
      by: 'ops',
    });
  });

  it('of a partition says at which instant its inputs are taken', async () => {
    expect((await release('1-3', { takenAt: '2026-09-01T02:00:00+02:00' })).status).toBe(202);
    expect(await asked(1)).toContainEqual({
      tenant: null,
      type: 'partitionReleaseRequested',
      heldOffset: 3,
      takenAt: '2026-09-01T00:00:00Z',
      by: 'ops',
    });
  });

  it('is refused to everyone but the operator', async () => {
    const administrator = await edge.key({ tenant: 'acme', scopes: ['admin'] });
    expect((await release('0-5', { tenant: 'acme' }, administrator)).status).toBe(403);
    expect((await release('0-5', {}, await edge.key())).status).toBe(403);
  });

  it.each([
    ['9-5', {}, 'position'],
    ['nonsense', {}, 'position'],
    ['1-3', { takenAt: 'yesterday' }, 'takenAt'],
    ['1-3', { tenant: 'acme', takenAt: '2026-09-01T00:00:00Z' }, 'takenAt'],
    ['1-3', { tenant: 5 }, 'tenant'],
  ])('of %s with %j is refused, naming %s', async (position, json, field) => {
    const before = (await asked(1)).length;
    expect(await release(position, json)).toMatchObject({ status: 422, body: { field } });
    expect(await asked(1)).toHaveLength(before);
  });
});
