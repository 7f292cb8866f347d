// The shortest agent that expects something: it books shipments, and wants the manifest of each within three seconds.
// Usage: agent.js PORT, 0 for a free one; prints `listening URL` once it answers.
import type { AddressInfo } from 'node:net';
import { AGENT_CARD_PATH, AgentCard } from '@a2a-js/sdk';
import { DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';
import { activating, expectations, lapsesOnce, textOf } from '#agent-kit';

const desk = expectations({
  lapseSkill: 'handle_lapse',
  kinds: {
    manifest: { subjectType: 'shipment', describes: 'the manifest of a booked shipment', basis: 'declared' },
  },
});

const executor = desk.executor(
  (task, message) => {
    const shipment = textOf(message);
    task.expect('manifest', { subject: shipment, due: { in: 'PT3S' } });
    return `Booked ${shipment}.`;
  },
  (lapse, task) => {
    if (!task.canExtend(lapse)) return `The booking of ${lapse.subject.id} is given up.`;
    task.extend(lapse, { due: { in: 'PT1H' } });
    return `The airline was asked for the manifest of ${lapse.subject.id}.`;
  },
);

const app = express();
const server = app.listen(Number(process.argv[2]), '127.0.0.1', () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const card = desk.declareOn(
    AgentCard.fromJSON({
      name: 'Booking desk',
      description: 'Books shipments.',
      version: '1.0.0',
      capabilities: {},
      supportedInterfaces: [{ url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [
        { id: 'book', name: 'Book', description: 'Books the shipment that is named.', tags: ['shipping'] },
        {
          id: 'handle_lapse',
          name: 'Answer for a lapse',
          description: 'Says what becomes of it.',
          tags: ['expectations'],
        },
      ],
    }),
  );
  const requestHandler = lapsesOnce(new DefaultRequestHandler(card, new InMemoryTaskStore(), executor));
  const userBuilder = UserBuilder.noAuthentication;
  app.get(`/${AGENT_CARD_PATH}`, (_, response) => void response.json(AgentCard.toJSON(card)));
  app.use('/rpc', jsonRpcHandler({ requestHandler, userBuilder, contextBuilder: activating() }));
  console.log(`listening ${url}`);
});
