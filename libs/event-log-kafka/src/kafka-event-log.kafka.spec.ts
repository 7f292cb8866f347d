// The log on Kafka keeps the contract of all logs.
import type { EventLog } from '#event-log';
import { systemClock } from '#runtime';
import { describeEventLog, makeTopics, testBrokers } from '#testing';
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
