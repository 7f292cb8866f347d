// What the watcher holds or has parked, over HTTP, on PostgreSQL.
import { encodeLedger, partitionOf } from '#event-log';
import { type ReadApp, startReadApp, t } from '#testing';
import { QueryModule } from '../query.module.ts';

describe('what is not decided', () => {
  let app: ReadApp;
  let operator: string;

  beforeAll(async () => {
    app = await startReadApp([QueryModule]);
    operator = await app.edge.key({ tenant: 'default', scopes: ['admin', 'read'] });
    await app.tell('acme', [{ type: 'tenantHeld', at: t(1), cause: 'planted: a deadline' }]);
    await app.tell('globex', [{ type: 'inputParked', at: t(2), cause: 'planted: an input' }]);
    const partition = partitionOf('globex', app.edge.log.partitionCount);
    const held = { v: 1, type: 'partitionHeld', offset: 7, stampedAt: t(3_600), clockAt: t(3) } as const;
    await app.script.append('globex', { tenant: null, value: encodeLedger(held) });
    await app.fold();
    expect(partition).toBeGreaterThanOrEqual(0);
  });
  afterAll(() => app.close());

  const listed = async (path: string, key: string): Promise<unknown[]> =>
    ((await app.get(path, key)) as { items: unknown[] }).items;

  it('is shown to the operator, of all tenants and of whole partitions', async () => {
    const holds = await listed('/v1/holds', operator);
    expect(holds).toHaveLength(2);
    expect(holds).toContainEqual({
      position: `${partitionOf('acme', app.edge.log.partitionCount)}-0`,
      tenant: 'acme',
      cause: 'planted: a deadline',
      heldAt: t(1),
    });
    expect(holds).toContainEqual({
      position: `${partitionOf('globex', app.edge.log.partitionCount)}-7`,
      cause: expect.stringContaining(t(3_600)),
      heldAt: t(3),
    });
    expect(await listed('/v1/parked-inputs', operator)).toMatchObject([
      { tenant: 'globex', cause: 'planted: an input' },
    ]);
  });

  it('is shown to a tenant of its own alone', async () => {
    expect(await listed('/v1/holds', app.key)).toMatchObject([{ tenant: 'acme' }]);
    expect(await listed('/v1/holds', app.otherKey)).toEqual([]);
    expect(await listed('/v1/parked-inputs', app.key)).toEqual([]);
  });

  it('is no longer held once it is released', async () => {
    await app.tell('acme', [{ type: 'tenantReleased', at: t(9), heldOffset: 0, by: 'ops' }]);
    const released = { v: 1, type: 'partitionReleased', offset: 7, through: 9, takenAt: t(3), by: 'ops' } as const;
    await app.script.append('globex', { tenant: null, value: encodeLedger(released) });
    await app.fold();
    expect(await listed('/v1/holds?released=false', operator)).toEqual([]);
    expect(await listed('/v1/holds?released=true', operator)).toHaveLength(2);
    expect(await listed('/v1/holds', app.key)).toMatchObject([{ tenant: 'acme', releasedAt: t(9), releasedBy: 'ops' }]);
  });
});
