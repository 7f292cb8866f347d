// What becomes of the ledger where connections are lost in the middle of a transaction, and where two take it from each
// other in turns. What it holds is what Kafka's own console consumer shows.
import { FencedError, type LedgerWriter, LogUnavailableError } from '#event-log';
import { systemClock } from '#runtime';
import { consoleConsume, type Detour, type KafkaCluster, makeTopics, requests, startCluster } from '#testing';
import type { TestTopics } from '#testing';
import { KafkaEventLog } from './kafka-event-log.ts';
import { topicNames } from './topic-names.ts';

let cluster: KafkaCluster;
let detour: Detour;
let topics: TestTopics;
const logs: KafkaEventLog[] = [];

beforeAll(async () => {
  cluster = await startCluster({ nodes: 1, detours: true });
  detour = cluster.detours[0]!;
});
beforeEach(async () => (topics = await makeTopics(cluster.brokers, 1)));
afterEach(async () => {
  detour.mend();
  await Promise.all(logs.splice(0).map((log) => log.close()));
  await topics.drop();
});
afterAll(() => cluster.close());

/** A log whose every byte takes the detour, or none. */
function open(way: 'by the detour' | 'directly'): KafkaEventLog {
  const brokers = way === 'directly' ? cluster.brokers : [detour.broker];
  const address = { ...topics.address, brokers };
  const log = new KafkaEventLog({ address, partitionCount: 1, clock: systemClock });
  logs.push(log);
  return log;
}

/** Three records of a name. */
function append(writer: LedgerWriter, name: string): Promise<unknown> {
  return writer.append([1, 2, 3].map((nth) => ({ tenant: 'acme', value: Buffer.from(`${name}.${nth}`) })));
}

/** What became of an append, as its writer was told. */
function outcomeOf(appended: Promise<unknown>): Promise<'written' | 'fenced' | 'unknown'> {
  return appended.then(
    () => 'written',
    (error: unknown) => {
      if (error instanceof FencedError) return 'fenced';
      if (error instanceof LogUnavailableError) return 'unknown';
      throw error;
    },
  );
}

/** The names in the order in which the ledger has them. Fails where a batch is not whole, or not in one piece. */
async function names(): Promise<readonly string[]> {
  const topic = topicNames(topics.address).ledger;
  const printed = await consoleConsume({ brokers: cluster.brokers, topic, isolation: 'read_committed' });
  const values = printed.map(({ value }) => String(value));
  const whole = values.filter((value) => value.endsWith('.1')).map((value) => value.slice(0, -2));
  expect(values).toEqual(whole.flatMap((name) => [1, 2, 3].map((nth) => `${name}.${nth}`)));
  return whole;
}

describe('a writer whose connection is lost', () => {
  const losses = Object.entries(requests).flatMap(([name, request]) =>
    (['request', 'answer'] as const).map((lost) => ({ name, request, lost })),
  );

  it('writes each batch once, whichever request or answer was lost', async () => {
    const log = open('by the detour');
    const written: string[] = [];
    for (const { name, request, lost } of losses) {
      const isTakeOver = request === requests.initProducerId;
      const loss = isTakeOver ? detour.lose(request, lost) : undefined;
      const writer = await log.openWriter(0);
      const batch = `${lost} of ${name}`;
      await append(writer, `before ${batch}`);
      const lossOfAppend = loss ?? detour.lose(request, lost);
      expect(await outcomeOf(append(writer, batch))).toBe('written');
      await lossOfAppend;
      await append(writer, `after ${batch}`);
      written.push(`before ${batch}`, batch, `after ${batch}`);
    }
    expect(await names()).toEqual(written);
  });

  it.each([
    { lost: 'request', committed: [] },
    { lost: 'answer', committed: ['batch'] },
  ] as const)(
    'is told that nothing is known where it stays lost, and whoever opens a writer knows ($lost of the commit)',
    async ({ lost, committed }) => {
      const log = open('by the detour');
      const writer = await log.openWriter(0);
      void detour.lose(requests.endTxn, lost).then(() => detour.cut());
      expect(await outcomeOf(append(writer, 'batch'))).toBe('unknown');
      expect(await outcomeOf(append(writer, 'never tried'))).toBe('unknown');
      detour.mend();
      await log.openWriter(0);
      const read = await log.read('ledger', 0, { from: 0, limit: 10 });
      expect(read).toHaveLength(3 * committed.length);
      expect(await names()).toEqual(committed);
    },
  );
});

it('two that take the partition from each other in turns lose nothing and double nothing', async () => {
  const outcomes: { readonly name: string; readonly outcome: string }[] = [];
  const most = 60;
  let takeOverCount = 0;
  const work = async (who: string): Promise<void> => {
    const log = open('directly');
    for (let number = 0; outcomes.length < most;) {
      const writer = await log.openWriter(0);
      takeOverCount += 1;
      let outcome: string;
      do {
        const name = `${who}${(number += 1)}`;
        outcome = await outcomeOf(append(writer, name));
        outcomes.push({ name, outcome });
        // The other has its turn after some batches: neither ever ends by itself.
      } while (outcome === 'written' && number % 4 !== 0 && outcomes.length < most);
    }
  };
  await Promise.all([work('a'), work('b')]);
  const kept = await names();
  const namesOf = (wanted: string): string[] =>
    outcomes.flatMap(({ name, outcome }) => (outcome === wanted ? [name] : []));
  expect(kept).toHaveLength(new Set(kept).size);
  expect(kept).toEqual(expect.arrayContaining(namesOf('written')));
  expect(kept.filter((name) => namesOf('fenced').includes(name))).toEqual([]);
  for (const who of ['a', 'b']) {
    const own = kept.filter((name) => name.startsWith(who)).map((name) => Number(name.slice(1)));
    expect(own).toEqual([...own].sort((left, right) => left - right));
  }
  expect([takeOverCount, namesOf('fenced').length].every((count) => count > 2)).toBe(true);
});
