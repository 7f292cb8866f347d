// A desk that books shipments, as anybody writes an agent with the A2A project's SDK: its own DefaultRequestHandler, and an
// executor. What it knows of time is two dates that it writes down: it raises an expectation with each booking, and gives it
// more time, once, when it is told of the lapse. Usage: agent.js [PORT]; prints `listening URL` once it answers.
import type { AddressInfo } from 'node:net';
import { AgentCard, AGENT_CARD_PATH, Task } from '@a2a-js/sdk';
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryTaskStore,
  type RequestContext,
} from '@a2a-js/sdk/server';
import { jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';
import { systemClock } from '#runtime';

const extension = 'https://rsaxb.com/a2a/expectations/v1';
const manifest = { kind: 'shipment.manifest', subjectType: 'shipment' };
/** A manifest is due so soon after the booking, and after an extension: a demonstration has little time. */
const dueMs = 3_000;
const extendedMs = 60_000;

interface Lapse {
  readonly expectationId: string;
  readonly subject: { readonly type: string; readonly id: string };
  readonly lineage: number;
}

class BookingDesk implements AgentExecutor {
  async execute(request: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const block = request.userMessage.metadata?.[extension] as { readonly lapse?: Lapse } | undefined;
    bus.publish(AgentEvent.task(block?.lapse === undefined ? book(request) : extend(request, block.lapse)));
    bus.finished();
    return Promise.resolve();
  }

  // It is done before anybody could cancel it.
  cancelTask = (): Promise<void> => Promise.resolve();
}

function book(request: RequestContext): Task {
  const id = `PA-${request.taskId.slice(0, 8)}`;
  return completed(request, `Booked ${id}.`, { expectationId: `manifest-${id}`, subjectId: id, inMs: dueMs });
}

function extend(request: RequestContext, { expectationId, subject, lineage }: Lapse): Task {
  const inMs = lineage === 0 ? extendedMs : undefined;
  if (inMs === undefined) return completed(request, `No manifest for ${subject.id} again: the booking is canceled.`);
  const more = { expectationId: `${expectationId}-2`, supersedes: expectationId, subjectId: subject.id, inMs };
  return completed(request, `The airline was asked for the manifest of ${subject.id}; it has a minute more.`, more);
}

interface Wanted {
  readonly expectationId: string;
  readonly supersedes?: string;
  readonly subjectId: string;
  readonly inMs: number;
}

/** A task that is done, with what is expected of the world in its artifact, if somebody watches (§7). */
function completed(request: RequestContext, text: string, wanted?: Wanted): Task {
  const isWatched = request.context.requestedExtensions?.includes(extension) === true;
  const metadata = wanted && isWatched ? { [extension]: { expectations: [expectationOf(wanted)] } } : {};
  if (isWatched) request.context.addActivatedExtension(extension);
  return Task.fromJSON({
    id: request.taskId,
    contextId: request.contextId,
    status: { state: 'TASK_STATE_COMPLETED', timestamp: instant(0) },
    artifacts: [{ artifactId: 'answer', parts: [{ text }], metadata }],
    history: [],
  });
}

function expectationOf({ expectationId, supersedes, subjectId, inMs }: Wanted): object {
  return {
    expectationId,
    kind: manifest.kind,
    subject: { type: manifest.subjectType, id: subjectId },
    expects: `the airline manifest for ${subjectId}`,
    satisfiedBy: { factKey: `shipment.manifest.received:${subjectId}` },
    dueAt: instant(inMs),
    basis: 'declared',
    ...(supersedes !== undefined && { supersedes }),
  };
}

const instant = (inMs: number): string => new Date(systemClock.now() + inMs).toISOString();

function cardOf(url: string): AgentCard {
  const params = {
    keepsTime: false,
    lapseSkill: 'handle_lapse',
    kinds: [{ ...manifest, describes: 'the airline manifest of a booked shipment', basis: 'declared' }],
  };
  return AgentCard.fromJSON({
    name: 'Booking desk',
    description: 'Books shipments.',
    version: '1.0.0',
    supportedInterfaces: [{ url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { extensions: [{ uri: extension, required: false, params }] },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [
      { id: 'book', name: 'Book', description: 'Books a shipment.', tags: ['shipping'] },
      {
        id: 'handle_lapse',
        name: 'Answer for a lapse',
        description: 'Says what becomes of it.',
        tags: ['expectations'],
      },
    ],
  });
}

// The SDK warns of each task referred to that it does not have.
console.warn = () => undefined;
const app = express();
const server = app.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const card = cardOf(url);
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), new BookingDesk());
  app.get(`/${AGENT_CARD_PATH}`, (_, response) => void response.json(AgentCard.toJSON(card)));
  app.use('/rpc', jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
  console.log(`listening ${url}`);
});
const stop = (): void => {
  server.close();
  server.closeAllConnections();
  if (process.connected) process.disconnect();
};
for (const signal of ['SIGINT', 'SIGTERM', 'disconnect']) process.once(signal, stop);
