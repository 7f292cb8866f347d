// Snapshots on Kafka keep the contract of all stores.
import { systemClock } from '#runtime';
import { describeSnapshotStore, makeTopics, testBrokers } from '#testing';
import { KafkaSnapshotStore } from './kafka-snapshot-store.ts';

describeSnapshotStore('snapshots on Kafka', async () => {
  const topics = await makeTopics(await testBrokers(), 5);
  const store = new KafkaSnapshotStore(topics.address, systemClock);
  return {
    store,
    close: async () => {
      await store.close();
      await topics.drop();
    },
  };
});
