// Cases from real life over the public API: wrong units, durations and instants in every spelling, the same milestone
// many times, early and out of order.
import { type CardServer, exampleCard, startCardServer } from '#testing';
import type { AnyWatcher, CreateWatcher } from './any-watcher.ts';
import { LedgerStream } from './ledger-stream.ts';
import { RemindedTask } from './reminded-task.ts';
import { until } from './watcher.ts';

const uri = 'https://rsaxb.com/a2a/expectations/v1';
const hourMs = 3_600_000;

export function describeCases(create: CreateWatcher): void {
  let watcher: AnyWatcher;
  let cards: CardServer;
  let taskNumber = 0;
  /** Of the latest write. */
  let position = '';

  beforeAll(async () => {
    watcher = await create();
    cards = await startCardServer();
    const kinds = ['manifest', 'departure', 'arrival'].map((step) => ({
      ...{ kind: `shipment.${step}`, subjectType: 'shipment', describes: step, basis: 'observed' },
    }));
    cards.card = exampleCard({ kinds, keepsTime: true });
    await watcher.start();
    await watcher.call('PUT', '/v1/agents/booking', { cardUrl: cards.url });
  });

  afterAll(async () => {
    await watcher.remove();
    await cards.close();
  });

  const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();

  interface Told {
    readonly position: string;
    readonly results: readonly {
      readonly expectations: readonly { readonly outcome: string; readonly code?: string; readonly message?: string }[];
    }[];
  }

  function raise(step: string, id: string, more: Readonly<Record<string, unknown>> = {}) {
    return {
      ...{ expectationId: `${step}:${id}`, kind: `shipment.${step}`, subject: { type: 'shipment', id }, expects: step },
      ...{ satisfiedBy: { factKey: `${step}:${id}` }, dueAt: ago(-24 * hourMs), basis: 'observed', ...more },
    };
  }

  async function observe(...expectations: readonly unknown[]): Promise<Told['results'][number]['expectations']> {
    taskNumber += 1;
    const artifacts = [{ artifactId: 'a', metadata: { [uri]: { expectations } } }];
    const task = { id: `task-${taskNumber}`, contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' }, artifacts };
    const answer = (await watcher.call('POST', '/v1/observations', { agentId: 'booking', task })) as Told;
    position = answer.position;
    return answer.results[0]?.expectations ?? [];
  }

  async function report(...facts: readonly unknown[]): Promise<readonly { outcome: string; satisfied: unknown[] }[]> {
    const answer = await watcher.call('POST', '/v1/facts', facts);
    position = (answer as { position?: string }).position ?? position;
    return (answer as { results: { outcome: string; satisfied: unknown[] }[] }).results;
  }

  async function shown(id: string): Promise<Record<string, unknown>> {
    const after = position === '' ? '' : `?after=${position}`;
    return (await watcher.call('GET', `/v1/expectations/booking/${encodeURIComponent(id)}${after}`)) as Record<
      string,
      unknown
    >;
  }

  const fact = (step: string, id: string, observedAt: unknown, more: Readonly<Record<string, unknown>> = {}) => ({
    ...{ factKey: `${step}:${id}`, observedAt, subject: { type: 'shipment', id }, source: 'carrier', ...more },
  });

  it('N02: an instant off by a thousand settles nothing and moves nothing, and the true one does', async () => {
    const anchor = { expectationId: 'departure:S1', offset: 'PT105M' };
    await observe(raise('departure', 'S1'), raise('arrival', 'S1', { anchor }));
    const { dueAt } = await shown('arrival:S1');
    const seconds = Math.floor(Date.now() / 1_000);
    const results = await report(
      fact('departure', 'S1', '2099-01-01T00:00:00Z'),
      fact('departure', 'S1', seconds),
      fact('departure', 'S1', seconds * 1_000_000_000),
      fact('departure', 'S1', new Date(seconds).toISOString()),
      fact('departure', 'S1', '+12026-09-11T00:00:00Z'),
    );
    expect(results.map(({ outcome }) => outcome)).toEqual([
      'quarantined',
      'refused',
      'refused',
      'quarantined',
      'refused',
    ]);
    expect(await shown('departure:S1')).toMatchObject({ status: 'open' });
    expect(await shown('arrival:S1')).toMatchObject({ dueAt, status: 'open' });
    const { items } = (await watcher.call('GET', '/v1/quarantine')) as { items: { fact: { observedAt: string } }[] };
    expect(items.map((item) => item.fact.observedAt)).toEqual([
      new Date(seconds).toISOString(),
      '2099-01-01T00:00:00Z',
    ]);
    expect(await report(fact('departure', 'S1', ago(hourMs)))).toMatchObject([
      { outcome: 'accepted', satisfied: [{ expectationId: 'departure:S1' }] },
    ]);
    expect(await shown('arrival:S1')).not.toMatchObject({ dueAt });
  });

  it('N13: a duration is taken as ISO 8601 has it, or refused; it is never nothing because nobody could read it', async () => {
    const taken = ['PT0S', 'PT36H', 'P1DT12H', 'P2W', 'PT1.5H', 'PT0,5S', 'P1M', 'P1Y2M'];
    const refused = ['P', 'PT', 'P1S', 'P-1D', '-PT1H', 'PT-1H', 'P1.5DT2H', 'pt1h', 'API', 'PT1H30', '', 7, null];
    const all = [...taken, ...refused];
    const told = await observe(...all.map((grace, index) => raise('manifest', `D${index}`, { grace })));
    expect(told.map(({ outcome }, index) => `${String(all[index])} ${outcome}`)).toEqual([
      ...taken.map((grace) => `${grace} recorded`),
      ...refused.map((grace) => `${String(grace)} ${grace === null ? told.at(-1)?.outcome : 'refused'}`),
    ]);
    for (const { outcome, message } of told) if (outcome === 'refused') expect(message).toMatch(/grace/);
  });

  it('N14: one instant in many spellings is one fact', async () => {
    const base = new Date(Math.floor(Date.now() / 1_000) * 1_000 - hourMs);
    const text = base.toISOString().slice(0, 19);
    const east = new Date(base.getTime() + 8.5 * hourMs).toISOString().slice(0, 19);
    const spellings = [
      `${text}Z`,
      `${text}.000Z`,
      `${text}+00:00`,
      `${text}-00:00`,
      `${text.toLowerCase()}z`,
      `${east}+08:30`,
    ];
    const results = await report(...spellings.map((observedAt) => fact('manifest', 'I1', observedAt)));
    expect(results.map(({ outcome }) => outcome)).toEqual(['accepted', ...spellings.slice(1).map(() => 'repeated')]);
    const wrong = [text, `${text}.Z`, text.replace('T', ' ') + ' Z', `${text}+25:00`, `${text.slice(0, 10)}T24:00:00Z`];
    const refused = await report(...wrong.map((observedAt) => fact('manifest', 'I2', observedAt)));
    expect(refused.map(({ outcome }, index) => `${wrong[index]} ${outcome}`)).toEqual(
      wrong.map((each) => `${each} refused`),
    );
  });

  it('N14: one due time in many spellings gives the same message id', async () => {
    const base = new Date(Math.floor(Date.now() / 1_000) * 1_000 - hourMs).toISOString().slice(0, 19);
    const spellings = [`${base}Z`, `${base}.000Z`, `${base}+00:00`, `${base.toLowerCase()}z`];
    await observe(...spellings.map((dueAt, index) => raise('manifest', `M${index}`, { dueAt })));
    await until(async () => {
      const each = await Promise.all(spellings.map((_, index) => shown(`manifest:M${index}`)));
      return each.every(({ lapses }) => (lapses as unknown[]).length === 1);
    });
    for (const index of spellings.keys()) {
      const messageId = `lapse:manifest:M${index}:overdue:${base}Z`;
      expect(await shown(`manifest:M${index}`)).toMatchObject({ lapses: [{ messageId }] });
    }
  });

  it('N16: the first report of a milestone counts, and moves what is behind it once', async () => {
    const anchor = { expectationId: 'departure:S16', offset: 'PT1H' };
    await observe(raise('departure', 'S16'), raise('arrival', 'S16', { anchor }));
    const first = fact('departure', 'S16', ago(3 * hourMs));
    expect(await report(first)).toMatchObject([
      { outcome: 'accepted', satisfied: [{ expectationId: 'departure:S16' }] },
    ]);
    const { dueAt } = await shown('arrival:S16');
    const later = [first, { ...first, observedAt: ago(2 * hourMs) }, { ...first, source: 'port' }];
    expect(await report(...later)).toMatchObject([
      { outcome: 'repeated', satisfied: [] },
      { outcome: 'accepted', satisfied: [] },
      { outcome: 'accepted', satisfied: [] },
    ]);
    expect(await shown('arrival:S16')).toMatchObject({ dueAt, status: 'open' });
  });

  it('N19: what came early satisfies; a report listed backwards skips nothing; a late step is not a second lapse', async () => {
    await report(fact('manifest', 'E1', ago(2 * hourMs)));
    await observe(raise('manifest', 'E1'));
    expect(await shown('manifest:E1')).toMatchObject({ status: 'satisfied', lapses: [] });

    const chain = (id: string) => [
      raise('manifest', id),
      raise('departure', id, { after: [`manifest:${id}`] }),
      raise('arrival', id, { after: [`departure:${id}`] }),
    ];
    await observe(...chain('E2'));
    await report(
      fact('arrival', 'E2', ago(hourMs)),
      fact('departure', 'E2', ago(2 * hourMs)),
      fact('manifest', 'E2', ago(3 * hourMs)),
    );
    for (const step of ['manifest', 'departure', 'arrival']) {
      expect(await shown(`${step}:E2`)).toMatchObject({ status: 'satisfied', lapses: [] });
    }

    await observe(
      raise('departure', 'E3', { after: ['manifest:E3'] }),
      raise('manifest', 'E3'),
      raise('arrival', 'E3', { after: ['departure:E3'] }),
    );
    await report(fact('arrival', 'E3', ago(hourMs)));
    await report(fact('departure', 'E3', ago(2 * hourMs)));
    const skipped = { status: 'satisfied', lapses: [{ lapse: 'skipped' }] };
    expect(await shown('departure:E3')).toMatchObject(skipped);
    expect(await shown('manifest:E3')).toMatchObject({ status: 'open', lapses: [{ lapse: 'skipped' }] });
    await report(fact('manifest', 'E3', ago(3 * hourMs)));
    expect(await shown('manifest:E3')).toMatchObject(skipped);
    expect(await shown('arrival:E3')).toMatchObject({ status: 'satisfied', lapses: [] });
  });

  it('a stream tells of what is decided when it is decided, and goes on where it was left', async () => {
    const stream = await LedgerStream.open(watcher.url);
    await report(fact('manifest', 'V1', ago(hourMs)));
    const lastEventId = await stream.untilTold('manifest:V1');
    stream.close();
    await report(fact('manifest', 'V2', ago(hourMs)));
    const resumed = await LedgerStream.open(watcher.url, lastEventId);
    await resumed.untilTold('manifest:V2');
    resumed.close();
    expect(resumed.said).not.toContain('manifest:V1');
  });

  it('a task that runs is told what is due soon and what has lapsed, where its agent asked for it', async () => {
    const reminded = new RemindedTask();
    try {
      const cardUrl = await reminded.start([
        { kind: 'shipment.arrival', subjectType: 'shipment', describes: 'arrival', basis: 'observed' },
      ]);
      const reminders = { beforeDue: true, lapsed: true };
      await watcher.call('PUT', '/v1/agents/reminded', { cardUrl, reminders });
      const later = new Date(Date.now() + 5 * hourMs).toISOString();
      const expectations = [
        raise('arrival', 'R1', { dueAt: ago(hourMs) }),
        raise('arrival', 'R2', { dueAt: later }),
        // Half an hour after the other: due soon from the moment on that that has come.
        raise('arrival', 'R3', { dueAt: later, anchor: { expectationId: 'arrival:R2', offset: 'PT30M' } }),
      ];
      const artifacts = [{ artifactId: 'a', metadata: { [uri]: { expectations } } }];
      const task = { id: reminded.taskId, contextId: 'c', status: { state: 'TASK_STATE_WORKING' }, artifacts };
      await watcher.call('POST', '/v1/observations', { agentId: 'reminded', task });
      await report(fact('arrival', 'R2', ago(0)));
      await reminded.untilTold('Overdue for shipment R1', 'Due soon: “arrival” (shipment “R3”)');
    } finally {
      await reminded.close();
    }
  });
}
