// What the log's topics are called.
import type { KafkaAddress } from '#runtime';

export interface TopicNames {
  readonly inbox: string;
  readonly ledger: string;
  readonly snapshots: string;
  readonly deadLetters: string;
  /** What the name of a feed of facts begins with; its tenant's follows. */
  readonly factsStem: string;
}

export function topicNames({ prefix }: Pick<KafkaAddress, 'prefix'>): TopicNames {
  return {
    inbox: `${prefix}.inbox`,
    ledger: `${prefix}.ledger`,
    snapshots: `${prefix}.snapshots`,
    deadLetters: `${prefix}.dead-letters`,
    factsStem: `${prefix}.facts.`,
  };
}
