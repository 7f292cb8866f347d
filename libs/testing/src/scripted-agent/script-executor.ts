// The agent behind the scripted agent: it does what the first word of a message says, a step at a time where there are gates.
import { Artifact, Message, Task, TaskStatusUpdateEvent } from '@a2a-js/sdk';
import { AgentEvent, type AgentExecutor, type ExecutionEventBus, type RequestContext } from '@a2a-js/sdk/server';

const URI = 'https://rsaxb.com/a2a/expectations/v1';

/** Names what somebody waits for. */
export class Gates {
  private readonly gates = new Map<string, { readonly opened: Promise<void>; readonly open: () => void }>();

  /** Lets pass whoever waits there, now or later. */
  open(name: string): void {
    this.gate(name).open();
  }

  passed(name: string): Promise<void> {
    return this.gate(name).opened;
  }

  private gate(name: string) {
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    const gate = this.gates.get(name) ?? { opened, open };
    this.gates.set(name, gate);
    return gate;
  }
}

/**
 * `complete ID…`: one artifact that expects the ids, then done. `say`: a message and no task. `ask ID`: a question, with
 * the id as its expectation. `steps GATE ID…`: works, at the gate expects the ids, at `GATE-end` is done. `work`: works on,
 * until it is canceled. What is sent to a task of its own is its answer, and completes it.
 */
export class ScriptExecutor implements AgentExecutor {
  constructor(private readonly gates: Gates) {}

  execute = async (context: RequestContext, bus: ExecutionEventBus): Promise<void> => {
    const { taskId, contextId, userMessage, context: call } = context;
    for (const uri of call.requestedExtensions ?? []) call.addActivatedExtension(uri);
    const isWatched = [...(call.requestedExtensions ?? [])].includes(URI);
    const [part] = (Message.toJSON(userMessage) as { parts?: { text?: string }[] }).parts ?? [];
    const [word = '', ...words] = (part?.text ?? '').split(' ');
    const ids = { taskId, contextId };
    if (word === 'say') {
      const said = { messageId: `m-${taskId}`, contextId, role: 'ROLE_AGENT', parts: [{ text: 'said' }] };
      bus.publish(AgentEvent.message(Message.fromJSON(said)));
      bus.finished();
      return;
    }
    const { status: working } = Task.fromJSON({ status: status('TASK_STATE_WORKING') });
    const begun = context.task ?? { ...Task.fromJSON({ id: taskId, contextId }), history: [userMessage] };
    bus.publish(AgentEvent.task({ ...begun, status: working }));
    if (word === 'work') return;
    if (word === 'ask') {
      const question = { expectations: [questionOf(taskId, words[0] ?? '')] };
      const message = { messageId: `q-${taskId}`, ...ids, role: 'ROLE_AGENT', parts: [{ text: 'whose?' }] };
      const asking = { ...message, metadata: { [URI]: question } };
      bus.publish(update(ids, { ...status('TASK_STATE_INPUT_REQUIRED'), message: asking }));
      bus.finished();
      return;
    }
    const [gate, ...atGate] = words;
    if (word === 'steps') await this.gates.passed(gate ?? '');
    const expected = word === 'steps' ? atGate : words;
    if (word === 'steps' || word === 'complete') bus.publish(artifactOf(ids, isWatched ? expected : []));
    if (word === 'steps') await this.gates.passed(`${gate}-end`);
    bus.publish(update(ids, status('TASK_STATE_COMPLETED')));
    bus.finished();
  };

  cancelTask = async (taskId: string, bus: ExecutionEventBus): Promise<void> => {
    bus.publish(update({ taskId, contextId: '' }, status('TASK_STATE_CANCELED')));
    bus.finished();
    return Promise.resolve();
  };
}

interface Ids {
  readonly taskId: string;
  readonly contextId: string;
}

function status(state: `TASK_STATE_${string}`): { readonly state: string; readonly timestamp: string } {
  return { state, timestamp: new Date().toISOString() };
}

function update(ids: Ids, of: object) {
  return AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON({ ...ids, status: of }));
}

function artifactOf({ taskId, contextId }: Ids, expectationIds: readonly string[]) {
  const block = { expectations: expectationIds.map(departureOf) };
  const artifact = Artifact.fromJSON({
    artifactId: `a-${taskId}`,
    parts: [{ text: 'booked' }],
    ...(expectationIds.length > 0 && { metadata: { [URI]: block } }),
  });
  return AgentEvent.artifactUpdate({
    taskId,
    contextId,
    artifact,
    append: false,
    lastChunk: true,
    metadata: undefined,
  });
}

function departureOf(expectationId: string): object {
  return {
    expectationId,
    kind: 'shipment.departure',
    subject: { type: 'shipment', id: 'PA-1' },
    expects: 'PA-1 departs',
    satisfiedBy: { factKey: `departed:${expectationId}` },
    dueAt: '2099-01-01T00:00:00Z',
    basis: 'observed',
    'x-unknown': { kept: 1 },
  };
}

function questionOf(taskId: string, expectationId: string): object {
  return {
    ...departureOf(expectationId),
    kind: 'question.answer',
    subject: { type: 'task', id: taskId },
    satisfiedBy: { factKey: `task.answered:${taskId}` },
  };
}
