// What an agent can put into its card, or answer, that its questions must survive.
import type { AgentCalls } from '#protocol';
import { AgentQuestions } from './agent-questions.ts';
import { type GatewayInterface, gatewayInterfaces } from './gateway-interfaces.ts';

function asking(answer: () => Response) {
  const urls: string[] = [];
  const calls = {
    fetch: (_: unknown, url: URL) => {
      urls.push(url.href);
      return Promise.resolve(answer());
    },
  } as unknown as AgentCalls;
  return { questions: new AgentQuestions(calls), urls };
}

const task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } };
const via: GatewayInterface = {
  ...{ url: 'https://agent.example/rest', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
  ...{ binding: 'rest', version: '1.0', hash: '00000000', path: 'rest/1.0' },
};
const tenant = 'acme';
const address = { cardUrl: 'https://agent.example/', card: {} };

describe('a question to an agent', () => {
  it('is asked at its interface', async () => {
    const { questions, urls } = asking(() => Response.json(task));
    expect(await questions.task({ tenant, address, via }, 't')).toEqual(task);
    expect(urls).toEqual(['https://agent.example/rest/tasks/t?historyLength=0']);
    const [first] = gatewayInterfaces({ supportedInterfaces: [via] });
    expect(await questions.task({ tenant, address, via: first! }, 't')).toEqual(task);
  });

  it('is not asked any more once its time is up', async () => {
    const ended = new AbortController();
    const page = {
      tasks: [
        { ...task, id: 'a' },
        { ...task, id: 'b' },
      ],
      nextPageToken: 'more',
    };
    const { questions, urls } = asking(() => {
      if (urls.length === 2) ended.abort();
      return Response.json(page);
    });
    const asked = { tenant, address, via, signal: ended.signal };
    expect(await questions.taskOf(asked, { messageId: 'm' })).toBeUndefined();
    expect(urls).toHaveLength(2);
  });

  it('has no answer where the tenant of its card, or an id, can be in no URL', async () => {
    const { questions, urls } = asking(() => Response.json(task));
    const tenanted = { tenant, address, via: { ...via, tenant: '\ud800' } };
    expect(await questions.task(tenanted, 't')).toBeUndefined();
    expect(await questions.taskOf(tenanted, { messageId: 'm' })).toBeUndefined();
    expect(await questions.task({ tenant, address, via }, '\udc00')).toBeUndefined();
    expect(urls).toEqual([]);
  });
});
