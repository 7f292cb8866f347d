// What the page's head says of the quarantine, and of what the key may do with it.
import { QuarantinedFact } from '#runtime';
import { type ReadApp, startReadApp } from '#testing';
import { QueryModule } from '../query.module.ts';

describe('the overview', () => {
  let app: ReadApp;

  beforeAll(async () => {
    app = await startReadApp([QueryModule]);
    const row = (state: string, index: number, tenant = 'acme') => ({
      ...{ tenant, state, identity: Buffer.from([index]), reporter: '"r"', fact: '{}', reason: 'old' },
    });
    const states = ['quarantined', 'releasing', 'released', 'discarded'];
    const rows = [...states.map((state, index) => row(state, index)), row('quarantined', 9, 'globex')];
    await app.edge.database
      .createQueryBuilder()
      .insert()
      .into(QuarantinedFact)
      .values(rows as never)
      .execute();
  });
  afterAll(() => app.close());

  it('counts what waits in the quarantine of the tenant', async () => {
    expect(await app.get('/v1/overview')).toMatchObject({ quarantined: { count: 2, isMore: false } });
    expect(await app.get('/v1/overview', app.otherKey)).toMatchObject({ quarantined: { count: 1 } });
  });

  it('says whether the key may release and discard it', async () => {
    expect(await app.get('/v1/overview')).toMatchObject({ mayOperate: false });
    for (const scope of ['operate', 'admin'] as const) {
      const key = await app.edge.key({ scopes: ['read', scope] });
      expect(await app.get('/v1/overview', key)).toMatchObject({ mayOperate: true });
    }
  });
});
