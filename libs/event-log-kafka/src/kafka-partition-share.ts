// The partitions of the log, shared by the processes of a deployment: a consumer group for each role.
import type { Membership, PartitionShare, Role, Serve } from '#event-log';
import type { Clock, KafkaAddress } from '#runtime';
import { GroupMembership } from './group-membership.ts';
import { topicDivision } from './group-protocol.ts';
import { toPassingFault } from './kafka-fault.ts';
import { Leaders } from './leaders.ts';
import { topicNames } from './topic-names.ts';

export interface KafkaPartitionShareOptions {
  readonly address: KafkaAddress;
  readonly partitionCount: number;
  /** Processes of another deployment share nothing with those of this one. */
  readonly deployment: string;
  readonly clock: Clock;
  /** Told of faults that nobody's call can be told of; it is tried again. */
  readonly report?: (fault: unknown) => void;
}

export class KafkaPartitionShare implements PartitionShare {
  readonly #options: KafkaPartitionShareOptions;

  constructor(options: KafkaPartitionShareOptions) {
    this.#options = options;
  }

  join(role: Role, serve: Serve): Membership {
    const { address, partitionCount, deployment, clock, report = () => undefined } = this.#options;
    const topic = topicNames(address).inbox;
    const groupId = `${address.prefix}-${deployment}-${role}`;
    const membership = new GroupMembership({
      leaders: new Leaders(address, clock, [topic]),
      clock,
      groupId,
      division: topicDivision(topic, partitionCount),
      serve,
      report: (error) => report(toPassingFault(error, address, `be one of the group ${groupId}`)),
    });
    membership.start();
    return membership;
  }
}
