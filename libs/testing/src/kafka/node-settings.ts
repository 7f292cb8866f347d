// How the nodes of a test's cluster are set: broker and controller in one, on 127.0.0.1, small, and quick to notice that
// one of them is gone. Never so outside of tests: nothing is flushed, nothing is encrypted.

export interface NodePorts {
  readonly broker: number;
  readonly controller: number;
}

/** The text of the properties file of node `id`, counted from 1; `nodes` are the ports of all of them. */
export function nodeSettings(id: number, nodes: readonly NodePorts[], dataDirectory: string): string {
  const { broker, controller } = nodes[id - 1]!;
  const replicas = Math.min(nodes.length, 3);
  const inSync = Math.max(replicas - 1, 1);
  const settings = {
    'process.roles': 'broker,controller',
    'node.id': id,
    'controller.quorum.voters': nodes.map((node, index) => `${index + 1}@127.0.0.1:${node.controller}`).join(),
    listeners: `PLAINTEXT://127.0.0.1:${broker},CONTROLLER://127.0.0.1:${controller}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${broker}`,
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'PLAINTEXT',
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'log.dirs': dataDirectory,
    'auto.create.topics.enable': false,
    'default.replication.factor': replicas,
    'min.insync.replicas': inSync,
    'offsets.topic.replication.factor': replicas,
    'offsets.topic.num.partitions': 4,
    'transaction.state.log.replication.factor': replicas,
    'transaction.state.log.min.isr': inSync,
    'transaction.state.log.num.partitions': 4,
    'share.coordinator.state.topic.replication.factor': replicas,
    'share.coordinator.state.topic.min.isr': inSync,
    'share.coordinator.state.topic.num.partitions': 1,
    'group.initial.rebalance.delay.ms': 0,
    // A transaction that its producer left open ends soon after its timeout, not up to ten seconds later.
    'transaction.abort.timed.out.transaction.cleanup.interval.ms': 1_000,
    // After a SIGKILL a node is back in six seconds and not in thirteen.
    'broker.session.timeout.ms': 3_000,
    'broker.heartbeat.interval.ms': 500,
    'log.segment.bytes': 32 * 1024 * 1024,
    'log.index.size.max.bytes': 1024 * 1024,
    'log.segment.delete.delay.ms': 1_000,
    'log.cleaner.dedupe.buffer.size': 8 * 1024 * 1024,
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

/**
 * What such a node has beside: a listener on `port` that sends whoever comes to it on to `advertised`. The last line of a
 * name counts.
 */
export function detourSettings({ broker, controller }: NodePorts, port: number, advertised: string): string {
  const direct = `PLAINTEXT://127.0.0.1:${broker}`;
  return [
    `listeners=${direct},CONTROLLER://127.0.0.1:${controller},DETOUR://127.0.0.1:${port}`,
    `advertised.listeners=${direct},DETOUR://${advertised}`,
    'listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,DETOUR:PLAINTEXT',
    '',
  ].join('\n');
}
