// The log on Kafka keeps the contract of all logs.
import type { EventLog } from '#event-log';
import { systemClock } from '#runtime';
import { describeEventLog, makeTopics, testBrokers, until } from '#testing';
import { KafkaEventLog } from './kafka-event-log.ts';

describeEventLog('the log on Kafka', async () => {
  const topics = await makeTopics(await testBrokers(), 4);
  const logs: EventLog[] = [];
  const open = (): EventLog => {
    const log = new KafkaEventLog({ address: topics.address, partitionCount: 4, clock: systemClock });
    logs.push(log);
    return log;
  };
  const [log, other] = [open(), open()];
  return {
    log,
    other,
    breakAppends: () => topics.refuseBatches(),
    mendAppends: () => topics.takeBatches(),
    reopen: async () => {
      await log.close();
      return open();
    },
    close: async () => {
      await Promise.all(logs.map((one) => one.close()));
      await topics.drop();
    },
  };
});

describe('a log that is closed', () => {
  const connectionCount = (): number =>
    process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;

  it('leaves no connection behind, however many have asked for the first one at once', async () => {
    const topics = await makeTopics(await testBrokers(), 4);
    await until(async () => connectionCount() === 0, 'the connections of the test itself');
    const log = new KafkaEventLog({ address: topics.address, partitionCount: 4, clock: systemClock });
    await Promise.all([0, 1, 2, 3].map((partition) => log.read('inbox', partition, { from: 0, limit: 1 })));
    await log.close();
    await until(async () => connectionCount() === 0, 'the end of all connections');
    await topics.drop();
  });
});
