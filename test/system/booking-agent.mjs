// The agent of the worked example as a process of its own: node booking-agent.mjs VECTOR.json.
// Its card declares what the vector declares, and it has the task that the vector books. It completes every other task
// at once, and keeps what it was sent, repeats and all.
// Prints `listening http://127.0.0.1:PORT`; GET /received lists the requests. Plain JavaScript, so that it runs unbuilt.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { AgentCard, Task, TaskState } from '@a2a-js/sdk';
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore, ServerCallContext } from '@a2a-js/sdk/server';
import { jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';

const uri = 'https://rsaxb.com/a2a/expectations/v1';
const { inputs } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const declared = inputs.find(({ type }) => type === 'agentDeclared');
const booked = inputs.find(({ type }) => type === 'artifactObserved');

const executor = {
  execute: async ({ taskId, contextId, userMessage }, bus) => {
    const status = { state: TaskState.TASK_STATE_COMPLETED, message: undefined, timestamp: undefined };
    const task = { id: taskId, contextId, status, artifacts: [], history: [userMessage], metadata: {} };
    bus.publish(AgentEvent.task(task));
    bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status, metadata: undefined }));
    bus.finished();
  },
  cancelTask: async (_taskId, bus) => bus.finished(),
};

const { taskId: id, contextId, artifact } = booked;
const booking = Task.fromJSON({ id, contextId, status: { state: 'TASK_STATE_COMPLETED' }, artifacts: [artifact] });
const tasks = new InMemoryTaskStore();
await tasks.save(booking, new ServerCallContext());

const received = [];
const app = express();
const server = createServer(app);
server.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${server.address().port}`;
  const card = AgentCard.fromJSON({
    name: 'Booking',
    description: 'Books shipments.',
    version: '1.0.0',
    supportedInterfaces: [{ url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { extensions: [{ uri, required: false, params: declared.params }] },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'handle_lapse', name: 'Handle a lapse', description: 'Answers for a lapse.', tags: ['lapses'] }],
  });
  app.use(express.json({ type: () => true }));
  app.get('/.well-known/agent-card.json', (_request, response) => response.json(AgentCard.toJSON(card)));
  app.get('/received', (_request, response) => response.json(received));
  app.use('/rpc', (request, _response, next) => {
    received.push({ extensions: request.headers['a2a-extensions'], ...request.body });
    next();
  });
  const requestHandler = new DefaultRequestHandler(card, tasks, executor);
  app.use('/rpc', jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
  process.stdout.write(`listening ${url}\n`);
});

// `disconnect`: whoever started it is gone.
for (const signal of ['SIGINT', 'SIGTERM', 'disconnect']) process.once(signal, () => process.exit());
