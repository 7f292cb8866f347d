import { TaskReadError, type TaskReadFault } from '#protocol';
import type { Access, AgentAccess } from './agent-access.ts';
import { CallTurns } from './call-turns.ts';
import type { FollowPorts } from './follow-ports.ts';
import type { FollowedTask } from './followed-task.ts';
import { PushAsker } from './push-asker.ts';

const task = { taskId: 't1', isOver: false, isLost: false } as FollowedTask;
const access = { target: { card: {} }, capabilities: { pushNotifications: true } } as unknown as Access;

/** Asks ten times an agent that answers so; the tokens that are kept at the end. */
async function kept(answer: () => Promise<void>, signal = new AbortController().signal): Promise<readonly string[]> {
  const tokens: string[] = [];
  const subscriptions = {
    agreedOf: () => Promise.resolve(new Set()),
    make: () => Promise.resolve(`token-${tokens.push(`token-${tokens.length + 1}`)}`),
    agreed: () => Promise.resolve(),
    forget: (token: string) => Promise.resolve(void tokens.splice(tokens.indexOf(token), 1)),
  };
  const ports = {
    options: { publicUrl: 'https://watcher.example' },
    subscriptions,
    reader: { askToPush: answer },
    turns: new CallTurns({ all: 1, perTenant: 1 }),
  };
  const patient = { does: () => true, doesNot: () => undefined } as unknown as AgentAccess;
  const name = { tenant: 'acme', agentId: 'booking' };
  for (let count = 0; count < 10; count += 1) {
    const asker = new PushAsker(name, patient, ports as unknown as FollowPorts);
    await asker.ask(access, [task], signal).catch((error: unknown) => {
      if (!(error instanceof TaskReadError)) throw error;
    });
  }
  return tokens;
}

describe('the token that an agent is given for a task', () => {
  it.each<TaskReadFault>(['away', 'unknownTask', 'unsupported', 'refused'])(
    'is not kept where the agent does not take it: %s',
    async (fault) => {
      expect(await kept(() => Promise.reject(new TaskReadError(fault, 'no')))).toEqual([]);
    },
  );

  it('is not kept where it was never asked', async () => {
    expect(await kept(() => Promise.resolve(), AbortSignal.abort())).toEqual([]);
  });

  it('is kept where the agent takes it', async () => {
    expect(await kept(() => Promise.resolve())).toHaveLength(10);
  });
});
