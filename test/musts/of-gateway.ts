// §7, §11: a watcher that is the client, as the gateway is.
import assert from 'node:assert/strict';
import { EXTENSION_URI } from '#expectations';
import { activate } from '../../apps/intake/src/gateway/activation.ts';
import { type Answer, readAnswer } from '../../apps/intake/src/gateway/answer.ts';
import { AnswerWatch, type WatchPorts } from '../../apps/intake/src/gateway/answer-watch.ts';
import type { Must } from './must.ts';
import { agentId, taskId } from './story.ts';

type Exchange = ConstructorParameters<typeof AnswerWatch>[1];

/** What the log is told when the agent answers so to a client's answer to its question. */
async function toldOf(answer: Answer): Promise<readonly unknown[]> {
  const told: unknown[] = [];
  const ports = {
    memory: { isNews: () => false },
    gate: { through: (_: string, call: () => Promise<void>) => call() },
    sightings: {
      tell: (_: string, __: string, ___: unknown, { first }: { readonly first: readonly unknown[] }) =>
        Promise.resolve(told.push(...first)),
    },
  } as unknown as WatchPorts;
  const exchange = {
    agent: { tenant: 'acme', agentId },
    operation: { kind: 'unary', message: { taskId } },
    isActivated: true,
  } as unknown as Exchange;
  await new AnswerWatch(ports, exchange, '1').see(answer);
  return told;
}

const asked = { via: { binding: 'jsonrpc' }, operation: { answers: 'reply' } } as const;
const accepted = readAnswer({ result: { task: { id: taskId, status: { state: 'TASK_STATE_WORKING' } } } }, asked, 200);
const rejected = readAnswer({ error: { code: -32004, message: 'not now' } }, asked, 200);

export const ofGateway: readonly Must[] = [
  {
    paragraph: '7',
    must: 'asks for the extension, beside what the client asks for, when it passes a request on as the client',
    check: () => {
      const { headers } = activate([['A2A-Extensions', 'urn:other']], EXTENSION_URI, false);
      assert.deepEqual(headers, [['A2A-Extensions', `urn:other, ${EXTENSION_URI}`]]);
    },
    mutant: {
      name: 'the gateway activates nothing',
      file: 'apps/intake/src/gateway/activation.ts',
      find: 'isLegacyWire && ofCurrent.length === 0 ? [] : union(ofCurrent, [uri]);',
      replace: 'isLegacyWire && ofCurrent.length === 0 ? [] : ofCurrent;',
    },
  },
  {
    paragraph: '11',
    must: 'reports, as the client, the answer that it has sent and the agent has accepted',
    check: async () => {
      const answered = { type: 'answerObserved', agentId, taskId, reporter: 'gateway' };
      assert.deepEqual(await toldOf(accepted), [answered]);
    },
    mutant: {
      name: 'the gateway reports no answer',
      file: 'apps/intake/src/gateway/answer-watch.ts',
      find: '    const first = this.accepted(answer);',
      replace: '    const first: readonly UntimedInput[] = [];',
    },
  },
  {
    paragraph: '11',
    must: 'leaves a question open whose answer the agent has rejected',
    check: async () => assert.deepEqual(await toldOf(rejected), []),
    mutant: {
      name: 'the gateway takes a rejected answer for accepted',
      file: 'apps/intake/src/gateway/answer-watch.ts',
      find: "isError || said === undefined || taskIdOf(said) !== taskId || stateOf(said) === 'TASK_STATE_REJECTED'",
      replace: 'said !== undefined && taskIdOf(said) !== taskId',
    },
  },
];
