// Partitions shared by processes: each is served, by one of them; what one leaves another takes at once; whoever is fenced
// asks who may.
import { type Membership, type Serve, type Served } from '#event-log';
import { systemClock } from '#runtime';
import { makeTopics, testBrokers, type TestTopics, until } from '#testing';
import { KafkaPartitionShare } from './kafka-partition-share.ts';

const partitionCount = 6;
const all = Array.from({ length: partitionCount }, (_, partition) => partition);

/** A process that notes what it serves. */
function processOn(topics: TestTopics, deployment = 'one') {
  const begun: number[] = [];
  const fences = new Map<number, () => void>();
  const share = new KafkaPartitionShare({ address: topics.address, partitionCount, deployment, clock: systemClock });
  const serve: Serve = (partition, signal) => {
    begun.push(partition);
    return new Promise<Served>((resolve) => {
      fences.set(partition, () => resolve('fenced'));
      signal.addEventListener('abort', () => resolve('left'));
    });
  };
  const membership = share.join('projector', serve);
  return { membership, begun, fence: (partition: number) => fences.get(partition)?.() };
}

const served = (...memberships: readonly Membership[]): number[] =>
  memberships.flatMap(({ partitions }) => partitions).sort((a, b) => a - b);

describe('partitions shared by a group', () => {
  let topics: TestTopics;
  const opened: Membership[] = [];
  const start = (deployment?: string) => {
    const started = processOn(topics, deployment);
    opened.push(started.membership);
    return started;
  };

  beforeEach(async () => (topics = await makeTopics(await testBrokers(), partitionCount)));
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((membership) => membership.leave()));
    await topics.drop();
  });

  it('are all of one who is alone, and settled only then', async () => {
    const { membership } = start();
    expect(membership.isSettled).toBe(false);
    await until(() => membership.isSettled);
    expect(membership.partitions).toEqual(all);
  });

  it('are divided evenly when another comes, of which nothing begins twice at the first', async () => {
    const first = start();
    await until(() => first.membership.isSettled);
    const second = start();
    await until(() => second.membership.partitions.length === 3 && first.membership.partitions.length === 3);
    expect(served(first.membership, second.membership)).toEqual(all);
    expect(first.begun).toEqual(all);
  });

  it('are the other’s as soon as one leaves', async () => {
    const [first, second] = [start(), start()];
    await until(() => first.membership.partitions.length === 3 && second.membership.partitions.length === 3);
    await first.membership.leave();
    await until(() => second.membership.partitions.length === partitionCount);
    expect(first.membership.partitions).toEqual([]);
  });

  it('are served again by one who was fenced, where the group says so', async () => {
    const { membership, begun, fence } = start();
    await until(() => membership.partitions.length === partitionCount);
    fence(2);
    await until(() => begun.length === partitionCount + 1);
    expect(begun.at(-1)).toBe(2);
    expect(membership.partitions).toEqual(all);
  });

  it('leave one without any, and settled, where there are more processes than partitions', async () => {
    const many = Array.from({ length: partitionCount + 1 }, () => start());
    await until(() => many.every(({ membership }) => membership.isSettled));
    await until(() => served(...many.map(({ membership }) => membership)).length === partitionCount);
    expect(served(...many.map(({ membership }) => membership))).toEqual(all);
    expect(many.filter(({ membership }) => membership.partitions.length === 0)).toHaveLength(1);
  });

  it('are not shared with another deployment', async () => {
    const [one, two] = [start('one'), start('two')];
    await until(() => one.membership.isSettled && two.membership.isSettled);
    expect([one.membership.partitions, two.membership.partitions]).toEqual([all, all]);
  });
});
