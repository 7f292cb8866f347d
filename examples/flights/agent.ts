// A flight booking agent as its own process: an A2A server on 127.0.0.1. Usage: agent.js [PORT], 0 for a free one.
// Prints `listening http://127.0.0.1:PORT` once it answers. GET /lapses lists what it was told of, for tests and the demo.
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

const { positionals } = parseArgs({ allowPositionals: true });
const port = Number(positionals[0] ?? 0);
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  console.error('Usage: agent.js [PORT], a number from 0 (a free one) to 65535');
  process.exit(2);
}
const app = express();
const server = app.listen(port, '127.0.0.1', (error) => {
  if (error !== undefined) {
    console.error(`cannot listen on port ${port}: ${error.message}`);
    process.exit(1);
  }
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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
