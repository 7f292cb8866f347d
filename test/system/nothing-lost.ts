// What must be so after everything that ended in between: each write that was taken stands in the record as it was
// answered, once; each lapse is with its agent, once; and the lists show the same.
import type { Answer, Load, Taken } from './load.ts';
import { expectReplayable } from './replayable.ts';
import { until, type Watcher } from './watcher.ts';
import { type Decided, readWholeLedger, undecidedInputs } from './whole-ledger.ts';

interface Row {
  readonly expectationId: string;
  readonly status: string;
  readonly lapses: readonly { readonly lapse: string; readonly messageId: string }[];
}

/** What is asked for as a whole is not asked for all the time. */
const seldomMs = 250;
const mostMs = 240_000;

/** `received` lists the ids of the messages that the agent took, each time it took one anew. Load is at rest. */
export async function expectNothingLost(
  watcher: Watcher,
  load: Load,
  received: () => Promise<readonly string[]>,
): Promise<void> {
  const lapses: string[] = [];
  for (const taken of load.taken) lapses.push(...(await expectListed(watcher, taken)));
  await until(async () => {
    const known = new Set(await received());
    return lapses.every((messageId) => known.has(messageId));
  });
  const client = await watcher.connect();
  try {
    await until(async () => (await undecidedInputs(client)).length === 0, mostMs, seldomMs);
    const decided = await readWholeLedger(client);
    expect(answersNotInTheRecord(load.told, decided)).toEqual([]);
    expectDelivered(decided, await received());
    await expectReplayable(client, 8);
  } finally {
    await client.end();
  }
}

/** Everything that was taken is listed, once; what never departed has lapsed, once. Resolves to those lapses. */
async function expectListed(watcher: Watcher, taken: Taken): Promise<readonly string[]> {
  const isDone = ({ status, lapses }: Row): boolean => status !== 'open' || lapses.length > 0;
  let rows: readonly Row[] = [];
  await until(
    async () => {
      rows = await expectationsOf(watcher, taken);
      return rows.length >= taken.expectationIds.length && rows.every(isDone);
    },
    mostMs,
    seldomMs,
  );
  expect(rows.map(({ expectationId }) => expectationId).sort()).toEqual([...taken.expectationIds].sort());
  expect([...(await factKeysOf(watcher, taken))].sort()).toEqual([...taken.factKeys].sort());
  const never = rows.filter(({ status }) => status === 'open');
  expect(never.map(({ lapses }) => lapses.map(({ lapse }) => lapse))).toEqual(never.map(() => ['overdue']));
  return never.flatMap(({ lapses }) => lapses.map(({ messageId }) => messageId));
}

async function expectationsOf(watcher: Watcher, { key }: Taken): Promise<readonly Row[]> {
  const headers = { authorization: `Bearer ${key}`, accept: 'application/x-ndjson' };
  const lines = await watcher.callText('GET', '/v1/expectations', undefined, headers);
  return lines.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Row]));
}

async function factKeysOf(watcher: Watcher, { key }: Taken): Promise<readonly string[]> {
  const factKeys: string[] = [];
  let next: string | undefined;
  do {
    const cursor = next === undefined ? '' : `&cursor=${next}`;
    const page = await watcher.callText('GET', `/v1/facts?limit=1000${cursor}`, undefined, {
      authorization: `Bearer ${key}`,
    });
    const read = JSON.parse(page) as { items: { factKey: string }[]; next?: string };
    factKeys.push(...read.items.map(({ factKey }) => factKey));
    next = read.next;
  } while (next !== undefined);
  return factKeys;
}

/** What an outcome is in the record; of a write that was not decided yet, only that it is there was told. */
const eventTypes: Readonly<Record<string, readonly string[]>> = {
  recorded: ['expectationRecorded'],
  accepted: ['factRecorded'],
  repeated: ['expectationRepeated', 'factRepeated'],
  undecided: ['expectationRecorded', 'factRecorded', 'expectationRepeated', 'factRepeated'],
};

/** The names that a write was answered for, where what it was told is not what was decided at its position. */
export function answersNotInTheRecord(answers: readonly Answer[], decided: readonly Decided[]): readonly string[] {
  const known = new Set<string>();
  for (const { partition, offset, tenant, event } of decided) {
    const name = 'fact' in event ? event.fact['factKey'] : 'expectationId' in event ? event.expectationId : undefined;
    if (name !== undefined) known.add(JSON.stringify([partition, offset, tenant, event.type, name]));
  }
  return answers.flatMap(({ tenant, names, body }) => {
    const [partition, last = 0] = body.position.split('-').map(Number);
    const results = body.results ?? [];
    const outcomes = results.flatMap(
      (result) => result.expectations?.map(({ outcome }) => outcome) ?? [result.outcome],
    );
    return names.filter((name, nth) => {
      const types = eventTypes[outcomes[nth] ?? 'undecided'] ?? [];
      // A task has a record for its artifact and one, the last, for its state.
      const places = [last, last - 1].flatMap((offset) => types.map((type) => [partition, offset, tenant, type, name]));
      return !places.some((place) => known.has(JSON.stringify(place)));
    });
  });
}

/** What the agent got is what lapsed, and nothing of it twice. */
function expectDelivered(decided: readonly Decided[], received: readonly string[]): void {
  const lapses = new Set(decided.flatMap(({ event }) => (event.type === 'expectationLapsed' ? [event.messageId] : [])));
  expect(received.filter((messageId) => !lapses.has(messageId))).toEqual([]);
  expect(received.filter((messageId, nth) => received.indexOf(messageId) !== nth)).toEqual([]);
}
