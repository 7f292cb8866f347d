// What a test does to a stopped watcher's database itself: records that no edge lets into the log, and what is only a
// fold of the log forgotten.
import { Client } from 'pg';
import { encodeInbox, formatPosition, partitionOf, type UntimedInput } from '#event-log';
import { openPostgresEventLog } from '#event-log-postgres';
import { startEmbeddedPostgres, systemClock } from '#runtime';

const partitionCount = 8;
const tenant = 'default';
const uri = 'https://rsaxb.com/a2a/expectations/v1';

/** Appends them, an expectation that is due at once among them; gives the position of the last. */
export function appendNastyRecords(dataDir: string, agentId: string): Promise<string> {
  return withServer(dataDir, async (databaseUrl) => {
    const log = await openPostgresEventLog({ databaseUrl, partitionCount, clock: systemClock });
    const partition = partitionOf(tenant, partitionCount);
    const records = nastyValues(agentId).map((value) => ({ tenant, value }));
    const { offsets } = await log.append(partition, records);
    const stranger = 'nobody \0 \ud800';
    await log.append(partitionOf(stranger, partitionCount), [
      { tenant: stranger, value: nastyValues(agentId)[0] ?? Buffer.of() },
    ]);
    await log.close();
    return formatPosition({ partition, offset: offsets.at(-1) ?? 0 });
  });
}

/** The dispatcher's outbox and the timekeeper's snapshots: both are made again from the ledger. */
export function forgetDispatcherAndSnapshots(dataDir: string): Promise<void> {
  return withServer(dataDir, async (databaseUrl) => {
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query('DROP SCHEMA duewatch_dispatch CASCADE; DELETE FROM duewatch_log.snapshot');
    await client.end();
  });
}

async function withServer<T>(dataDir: string, use: (databaseUrl: string) => Promise<T>): Promise<T> {
  const server = await startEmbeddedPostgres({ dataDir, report: () => undefined, onLost: () => undefined });
  try {
    return await use(server.url());
  } finally {
    await server.stop();
  }
}

function nastyValues(agentId: string): readonly Uint8Array[] {
  const nasty = 'nasty \0 \ud800';
  const observedAt = new Date().toISOString();
  const expectation = {
    ...{ expectationId: nasty, kind: 'shipment.departure', subject: { type: nasty, id: nasty }, expects: nasty },
    ...{ satisfiedBy: { factKey: nasty }, dueAt: '2026-01-01T00:00:00Z', basis: nasty, after: [nasty], more: nasty },
  };
  const artifact = { artifactId: nasty, metadata: { [uri]: { expectations: [expectation, null, 7, nasty] } } };
  const inputs: readonly UntimedInput[] = [
    { type: 'artifactObserved', agentId, taskId: nasty, contextId: nasty, artifact },
    { type: 'factReported', reporter: nasty, fact: { factKey: `other ${nasty}`, observedAt, [nasty]: nasty } },
    { type: 'factsReported', reporter: '', facts: [null, 7, {}, { factKey: '\0', observedAt: nasty }] },
    { type: 'statusObserved', agentId: nasty, taskId: nasty, contextId: nasty, state: nasty, statusAt: nasty },
    { type: 'agentDeclared', agentId: nasty, params: { kinds: nasty } },
    { type: 'answerObserved', agentId: nasty, taskId: nasty, reporter: nasty },
    { type: 'dispatchAttempted', agentId: nasty, expectationId: nasty, lapse: 'overdue', attempt: 1 },
  ];
  const texts = [
    ...[
      '',
      ' ',
      'null',
      '[]',
      '{',
      '{"v":1}',
      '{"v":2,"input":{"type":"tick"}}',
      '{"v":1,"input":{"type":"constructor"}}',
    ],
    `{"v":1,"input":{"type":"factReported","reporter":"r","fact":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`,
    '{"v":1,"input":{"type":"factReported","reporter":"r","fact":{"factKey":"k","observedAt":1e999}}}',
    '{"v":1,"input":{"type":"factReported","reporter":"__proto__","fact":{"__proto__":1,"factKey":"__proto__"}}}',
    '{"v":1,"input":{"type":"factReported","reporter":7}}',
  ];
  return [
    ...inputs.map(encodeInbox),
    ...texts.map((text) => Buffer.from(text)),
    Buffer.of(0xff, 0xfe, 0),
    Buffer.of(0),
  ];
}
