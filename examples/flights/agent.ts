// A flight booking agent as its own process: an A2A server. Usage: agent.js [PORT] [--bind ADDRESS] [--url URL], port 0 for
// a free one, on 127.0.0.1 unless told otherwise; its card names the URL, where it is reached by another than it listens at.
// Prints `listening URL` once it answers. GET /lapses lists what it was told of, for tests and the demo.
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { AgentCard, AGENT_CARD_PATH } from '@a2a-js/sdk';
import { defaultServerCallContextBuilder, InMemoryTaskStore, type ServerCallContextBuilder } from '@a2a-js/sdk/server';
import { jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express, { type ErrorRequestHandler, type Express } from 'express';
import { systemClock } from '#runtime';
import { cardOf } from './card.ts';
import { expectationsUri } from './extension.ts';
import { FlightAgent } from './flight-agent.ts';
import { LapseOnceHandler } from './lapse-once-handler.ts';
import { LapseRecord } from './lapse-record.ts';

// Activated before the request is handled: the SDK sends a stream's headers before the executor could.
const contextBuilder: ServerCallContextBuilder = (options) => {
  const context = defaultServerCallContextBuilder(options);
  if (options.extensions?.includes(expectationsUri) === true) context.addActivatedExtension(expectationsUri);
  return context;
};

const explainUnreadableBody: ErrorRequestHandler = (
  error: { status?: number; message: string },
  _request,
  response,
  next,
) => {
  if (response.headersSent || error.status === undefined) next(error);
  else response.status(error.status).json({ error: { code: error.status, message: error.message } });
};

// The SDK warns of each task referred to that it does not have. This agent keeps none over a restart, so every lapse of
// what was raised before would be one.
console.warn = () => undefined;

function mount(app: Express, baseUrl: string): void {
  const card = cardOf(baseUrl);
  const lapses = new LapseRecord();
  const requestHandler = new LapseOnceHandler(card, new InMemoryTaskStore(), new FlightAgent(lapses, systemClock));
  requestHandler.onRepeat = (messageId) => lapses.repeat(messageId);
  const options = { requestHandler, userBuilder: UserBuilder.noAuthentication, contextBuilder };

  app.disable('x-powered-by');
  // The SDK's own parser ends at 100 kB and answers with a page of HTML.
  app.use(express.json({ limit: '4mb', type: ['application/json', 'application/a2a+json'] }), explainUnreadableBody);
  // The SDK's own card handler writes its inner form of the card, not the protocol's.
  app.get(`/${AGENT_CARD_PATH}`, (_request, response) => {
    response.set('Cache-Control', 'public, max-age=60').json(AgentCard.toJSON(card));
  });
  app.get('/lapses', (_request, response) => {
    response.json(lapses.list());
  });
  app.use('/rpc', jsonRpcHandler(options));
  app.use('/rest', restHandler(options));
}

const usage = 'Usage: agent.js [PORT] [--bind ADDRESS] [--url URL], PORT a number from 0 (a free one) to 65535';

/** Ends the process where an argument is unknown, or is not what it must be. */
function readOptions(): { readonly port: number; readonly bind: string; readonly url: string | undefined } {
  try {
    const text = { type: 'string' } as const;
    const { positionals, values } = parseArgs({ allowPositionals: true, options: { bind: text, url: text } });
    const { bind = '127.0.0.1', url } = values;
    const port = Number(positionals[0] ?? 0);
    if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`not a port: ${positionals[0] ?? ''}`);
    if (url !== undefined && !/^https?:$/.test(new URL(url).protocol)) throw new Error(`not http: ${url}`);
    return { port, bind, url: url?.replace(/\/+$/, '') };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
    process.exit(2);
  }
}

const { port, bind, url } = readOptions();
const app = express();
const server = app.listen(port, bind, (error) => {
  if (error !== undefined) {
    console.error(`cannot listen on port ${port} of ${bind}: ${error.message}`);
    process.exit(1);
  }
  const baseUrl = url ?? `http://${bind.includes(':') ? `[${bind}]` : bind}:${(server.address() as AddressInfo).port}`;
  mount(app, baseUrl);
  console.log(`listening ${baseUrl}`);
});
const stop = (): void => {
  server.close();
  server.closeAllConnections();
  if (process.connected) process.disconnect();
};
// `disconnect`: whoever started it with a channel is gone.
for (const signal of ['SIGINT', 'SIGTERM', 'disconnect']) process.once(signal, stop);
