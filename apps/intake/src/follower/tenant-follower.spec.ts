import type { AwaitedTask } from '#read-model';
import type { FollowPorts } from './follow-ports.ts';
import { TenantFollower } from './tenant-follower.ts';

function follower(tasks: readonly AwaitedTask[], signal: AbortSignal): TenantFollower {
  const awaited = {
    newest: () => Promise.resolve(0),
    since: () => Promise.resolve([]),
    page: () => Promise.resolve(tasks),
  };
  const ports = {
    ...{ awaited, options: { tasksPerTenant: 10, unseenMs: 0 } },
    troubles: { followed: () => Promise.resolve(), followedBut: () => Promise.resolve() },
    directory: { find: () => Promise.resolve(undefined) },
    clock: {
      now: () => 0,
      sleep: (_: number, ended: AbortSignal) => new Promise((resolve) => ended.addEventListener('abort', resolve)),
    },
  };
  return new TenantFollower('acme', ports as unknown as FollowPorts, signal);
}

function task(taskId: string, taskHash: string): AwaitedTask {
  return { taskId, taskHash, agentId: 'booking', ledgerOffset: 1 };
}

describe('a tenant’s tasks', () => {
  it('are followed but for those that no store can name, which hold up none of the others', async () => {
    const unusable = ['x\0', 'x\ud800', '', 'x'.repeat(100_000)].map((taskId, index) => task(taskId, `a${index}`));
    const leaving = new AbortController();
    const following = follower([...unusable, task('t1', 'b')], leaving.signal);
    await following.look();
    expect(following.agents.flatMap(({ tasks }) => [...tasks.keys()])).toEqual(['t1']);
    leaving.abort();
    await following.done();
  });
});
