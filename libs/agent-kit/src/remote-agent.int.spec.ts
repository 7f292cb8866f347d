// Another agent is called over HTTP, by its card, and composed into one's own.
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AgentCard, AGENT_CARD_PATH } from '@a2a-js/sdk';
import { DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';
import { activating } from './activation.ts';
import { expectations } from './expectations.ts';
import type { KitExecutor } from './kit-executor.ts';
import { RemoteAgent, RemoteAgentError } from './remote-agent.ts';
import { passedOn } from './remote-answer.ts';
import { textOf } from './text-of.ts';

const desk = expectations({
  lapseSkill: 'handle_lapse',
  kinds: { manifest: { subjectType: 'shipment', describes: 'the manifest of a shipment', basis: 'declared' } },
});
const carrier = desk.executor(
  (task, message) => {
    const text = textOf(message);
    if (text === 'where?') return { ask: 'Where to?' };
    if (text === 'no') return { reject: 'Not with us.' };
    if (text === 'never') return { fail: 'The ship sank.' };
    task.expect('manifest', { subject: text, due: { in: 'PT1H' } });
    return `Shipped ${text}.`;
  },
  () => 'We are looking for it.',
);

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

async function listen(listener: (url: string) => RequestListener, port = 0): Promise<string> {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.on('request', listener(url));
  return url;
}

/** An agent that remembers what it was asked; its interface may be elsewhere. */
async function serve(
  executor: KitExecutor<'manifest'>,
  { binding = 'JSONRPC', at }: { readonly binding?: string; readonly at?: string } = {},
): Promise<{ readonly url: string; readonly requests: readonly IncomingMessage[] }> {
  const requests: IncomingMessage[] = [];
  const url = await listen((own) => {
    const path = binding === 'JSONRPC' ? 'rpc' : 'rest';
    const card = desk.declareOn(
      AgentCard.fromJSON({
        ...{ name: 'Carrier', description: 'Ships.', version: '1', capabilities: { streaming: true } },
        supportedInterfaces: [{ url: `${at ?? own}/${path}`, protocolBinding: binding, protocolVersion: '1.0' }],
        ...{ defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'] },
        skills: [{ id: 'handle_lapse', name: 'Handle a lapse', description: 'Answers.', tags: [] }],
      }),
    );
    const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor);
    const options = { requestHandler, userBuilder: UserBuilder.noAuthentication, contextBuilder: activating() };
    const app = express();
    app.use((request, _, next) => {
      requests.push(request);
      next();
    });
    app.get(`/${AGENT_CARD_PATH}`, (_, response) => void response.json(AgentCard.toJSON(card)));
    app.use('/rpc', jsonRpcHandler(options));
    app.use('/rest', restHandler(options));
    return app as RequestListener;
  });
  return { url, requests };
}

const faultOf = (call: Promise<unknown>): Promise<RemoteAgentError> =>
  call.then(
    () => Promise.reject(new Error('it did not fail')),
    (error: unknown) => error as RemoteAgentError,
  );

describe.each(['JSONRPC', 'HTTP+JSON'])('another agent over %s', (binding) => {
  it('is called when it is needed, its card read once', async () => {
    const { url, requests } = await serve(carrier, { binding });
    const remote = new RemoteAgent(url);
    expect(requests).toEqual([]);
    const [one, two] = await Promise.all([remote.send('S1'), remote.send('S2', { contextId: 'ctx-1' })]);
    expect([one.text, two.text, two.contextId]).toEqual(['Shipped S1.', 'Shipped S2.', 'ctx-1']);
    expect(requests.filter(({ method }) => method === 'GET')).toHaveLength(1);
    expect(await remote.task(two.taskId ?? '')).toEqual(two);
  });

  it('says what it expects to who watches, and to nobody else', async () => {
    const { url } = await serve(carrier, { binding });
    expect((await new RemoteAgent(url).send('S1')).expectations).toEqual([]);
    const { expectations: raised } = await new RemoteAgent(url, { watched: true }).send('S1');
    expect(raised).toMatchObject([{ kind: 'manifest', subject: { type: 'shipment', id: 'S1' } }]);
  });

  it('is streamed', async () => {
    const { url } = await serve(carrier, { binding });
    const events: (string | undefined)[] = [];
    for await (const { payload } of new RemoteAgent(url).stream('S1')) events.push(payload?.$case);
    expect(events).toEqual(['task']);
  });
});

describe('a composed agent', () => {
  it.each([
    ['S1', { state: 'TASK_STATE_COMPLETED', text: 'Shipped S1.', expectations: [] }],
    ['where?', { state: 'TASK_STATE_INPUT_REQUIRED', text: 'Where to?' }],
    ['no', { state: 'TASK_STATE_REJECTED', text: 'Not with us.' }],
    ['never', { state: 'TASK_STATE_FAILED', text: 'The ship sank.' }],
  ])('passes on what another made of %s, and raises nothing for it', async (text, answered) => {
    const remote = new RemoteAgent((await serve(carrier)).url, { watched: true });
    const forwarder = desk.executor(
      async (_, message) => passedOn(await remote.send(textOf(message))),
      () => 'Nothing.',
    );
    const { url } = await serve(forwarder);
    expect(await new RemoteAgent(url, { watched: true }).send(text)).toMatchObject(answered);
  });
});

describe('a remote agent that is not as it should be', () => {
  it('is tried again where it was not reached', async () => {
    const { url } = await serve(carrier);
    const closed = servers.at(-1);
    await new Promise((resolve) => closed?.close(resolve));
    const remote = new RemoteAgent(url);
    expect(await faultOf(remote.send('S1'))).toMatchObject({ name: 'RemoteAgentError', retryable: true });
    const port = Number(new URL(url).port);
    const other = await serve(carrier);
    await listen(() => (_, response) => void response.writeHead(500).end(), port);
    expect(await faultOf(remote.send('S1'))).toMatchObject({ retryable: false });
    expect((await new RemoteAgent(other.url).send('S1')).text).toBe('Shipped S1.');
  });

  it('gets no credential at another origin, unless it is listed, and sends nobody elsewhere', async () => {
    const { url: elsewhere, requests } = await serve(carrier);
    const { url, requests: own } = await serve(carrier, { at: elsewhere });
    const headers = { authorization: 'Bearer secret' };
    await new RemoteAgent(url, { headers }).send('S1');
    await new RemoteAgent(url, { headers, origins: [elsewhere] }).send('S1');
    expect(own.map((request) => request.headers.authorization)).toEqual(['Bearer secret', 'Bearer secret']);
    expect(requests.map((request) => request.headers.authorization)).toEqual([undefined, 'Bearer secret']);
    const redirecting = await listen(() => (_, response) => void response.writeHead(302, { location: url }).end());
    await faultOf(new RemoteAgent(redirecting, { headers }).send('S1'));
    expect(own).toHaveLength(2);
  });

  it('is left where it does not answer, or has no end', async () => {
    const silent = await listen(() => () => undefined);
    expect(await faultOf(new RemoteAgent(silent, { timeoutMs: 50 }).send('S1'))).toMatchObject({ retryable: false });
    const { url } = await serve(carrier);
    expect(await faultOf(new RemoteAgent(url, { answerBytes: 100 }).send('S1'))).toBeInstanceOf(RemoteAgentError);
    expect(() => new RemoteAgent('nowhere')).toThrow('Invalid URL');
  });
});
