// What is followed, and what cannot be, as `/metrics` shows it: of the partitions that the process serves.
import { Injectable } from '@nestjs/common';
import type { MetricFamily, MetricSource } from '#runtime';
import type { Way } from './followed-task.ts';
import { Follower } from './follower.ts';

const ways: readonly Way[] = ['stream', 'push', 'sweep', 'poll'];

@Injectable()
export class FollowerMetrics implements MetricSource {
  readonly name = 'follower';

  constructor(private readonly follower: Follower) {}

  async collect(): Promise<readonly MetricFamily[]> {
    const { agents } = this.follower;
    const tasks = agents.flatMap((agent) => [...agent.tasks.values()]);
    const followed = tasks.filter(({ isLost }) => !isLost);
    return [
      {
        name: 'duewatch_followed_tasks',
        help: 'Tasks on which something depends and that are followed at their agents, by the way in which they are',
        type: 'gauge',
        samples: ways.map((way) => ({ labels: { way }, value: followed.filter((task) => task.way === way).length })),
      },
      {
        name: 'duewatch_unfollowable_tasks',
        help: 'Tasks on which something depends and that their agents do not know: they are asked for once an hour',
        type: 'gauge',
        samples: [{ value: tasks.length - followed.length }],
      },
      {
        name: 'duewatch_unreachable_agents',
        help: 'Agents with tasks to follow that did not answer when they were asked last',
        type: 'gauge',
        samples: [{ value: agents.filter(({ access }) => access.isFailing).length }],
      },
    ];
  }
}
