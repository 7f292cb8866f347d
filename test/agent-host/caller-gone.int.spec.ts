// A caller that leaves before it is answered: over both bindings and both versions of the protocol.
import { ListTasksRequest, TaskState } from '@a2a-js/sdk';
import { until } from '#testing';
import { obedientAgent, Strings } from './obedient-agent.ts';
import { request, ServedAgent, type Way, ways } from './served-agent.ts';

describe.each(ways)('over %s of %s', (...way: [...Way]) => {
  const strings = new Strings();
  let agent: ServedAgent;
  beforeAll(async () => (agent = await ServedAgent.start(obedientAgent(strings))));
  afterAll(() => agent.close());
  beforeEach(() => {
    strings.isOpen = false;
    strings.begun.length = 0;
    strings.ended.length = 0;
  });

  /** Sends the message, and leaves once its turn has begun. */
  async function leave(text: string, once = text): Promise<void> {
    const gone = new AbortController();
    const answer = (await agent.client(way)).sendMessage(request(text), { signal: gone.signal });
    answer.catch(() => undefined);
    await until(() => strings.begun.includes(once), 'the turn');
    gone.abort();
    await answer.catch(() => undefined);
  }

  /** The states of all there are. */
  async function states(): Promise<unknown[]> {
    const client = await agent.client(['JSONRPC', '1.0']);
    const { tasks } = await client.listTasks(ListTasksRequest.fromJSON({}));
    return tasks.map(({ status }) => status?.state);
  }

  it('ends a turn that has no Task, and leaves none', async () => {
    await leave('hold answer');
    await until(() => strings.ended.includes('hold answer'), 'the end of the turn');
    expect(await states()).toEqual([]);
  });

  it('ends no turn that has one', async () => {
    await leave('held', 'held tracked');
    strings.isOpen = true;
    await until(async () => (await states())[0] === TaskState.TASK_STATE_COMPLETED, 'the end of the task');
    expect(strings.ended).toEqual(['held']);
  });
});
