// What is to be done about topics, a step each, and how it is said: as what would be done, and as what is wrong.

interface Told {
  readonly topic: string;
  /** Whether nothing may run until it is put right. */
  readonly isBreaking: boolean;
}

/** `create` and `configure` are done by `apply`; `refuse` only a person can do something about. */
export type TopicStep =
  | (Told & {
      readonly step: 'create';
      readonly partitionCount: number;
      readonly replicationFactor: number;
      readonly settings: Readonly<Record<string, string>>;
    })
  | (Told & {
      readonly step: 'configure';
      readonly setting: string;
      readonly from: string;
      readonly to: string;
      readonly purpose: string;
    })
  | (Told & { readonly step: 'refuse'; readonly reason: RefusalReason; readonly sentence: string });

export type RefusalReason =
  'partition_count' | 'other_partitioning' | 'partitioning_unrecorded' | 'too_few_brokers' | 'too_few_replicas';

/** What `apply` does, or cannot do. */
export function describeStep(step: TopicStep): string {
  switch (step.step) {
    case 'create': {
      const settings = Object.entries(step.settings).map(([name, value]) => `${name}=${value}`);
      const size = `${counted(step.partitionCount, 'partition')}, ${counted(step.replicationFactor, 'replica')} each`;
      return [`create ${step.topic}: ${size}`, ...settings].join(', ');
    }
    case 'configure':
      return `set ${step.setting} of ${step.topic} to ${step.to}, from ${step.from}, so that ${step.purpose}`;
    case 'refuse':
      return `cannot put right: ${step.sentence}`;
  }
}

/** What is wrong, and what to do about it. */
export function describeWrong(step: TopicStep): string {
  switch (step.step) {
    case 'create':
      return `${step.topic} is missing: run \`duewatch topics apply\``;
    case 'configure':
      return (
        `${step.topic} has ${step.setting}=${step.from} and must have ${step.to}, so that ${step.purpose}: ` +
        'run `duewatch topics apply`'
      );
    case 'refuse':
      return step.sentence;
  }
}

export function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
