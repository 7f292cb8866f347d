// §7, §10.1: the task that a lapse becomes.
import assert from 'node:assert/strict';
import { type ExpectationLapsed, EXTENSION_URI } from '#expectations';
import { lapseRequest } from '#protocol';
import { inCore, type Must } from './must.ts';
import { requestOf } from './sent-lapse.ts';
import { at, eventsOf, expectation, lapsesOf, raised, taskId, tick, told } from './story.ts';

const inMessage = (find: string, replace: string) => ({
  ...{ name: 'the lapse message without its rule', file: 'libs/protocol/src/lapse-message.ts' },
  ...{ find, replace },
});

function lapsed(tickAt = '09-11T00:00'): ExpectationLapsed {
  const event = eventsOf(raised('09-01T01:00', [expectation('a')]), tick(tickAt)).at(-1);
  assert(event?.type === 'expectationLapsed');
  return event;
}

const message = (): ReturnType<typeof lapseRequest>['message'] => lapseRequest(lapsed()).message;

export const ofLapseTasks: readonly Must[] = [
  {
    paragraph: '7',
    must: 'asks for the extension in the A2A-Extensions header when it submits a lapse task',
    check: async () => {
      const { headers } = await requestOf(lapsed());
      assert.equal(headers['a2a-extensions'], EXTENSION_URI);
    },
    mutant: {
      name: 'the messenger does not activate the extension',
      file: 'libs/protocol/src/connect.ts',
      find: 'ServiceParameters.create(withA2AExtensions(...extensions))',
      replace: 'ServiceParameters.create()',
    },
  },
  {
    paragraph: '10.1',
    must: 'submits by the core Send Message operation',
    check: async () => assert.equal((await requestOf(lapsed())).method, 'SendMessage'),
    mutant: {
      name: 'the messenger sends nothing',
      file: 'libs/protocol/src/sdk-messenger.ts',
      find: 'client.sendMessage(sent, options)',
      replace: "Promise.resolve({ messageId: 'never sent' })",
    },
  },
  {
    paragraph: '10.1',
    must: 'submits in the context of the task that raised the expectation',
    check: () => assert.equal(message().contextId, 'ctx-1'),
    mutant: inMessage('contextId: lapsed.contextId,', 'contextId: lapsed.taskId,'),
  },
  {
    paragraph: '10.1',
    must: 'references the task that raised the expectation',
    check: () => assert.deepEqual(message().referenceTaskIds, [taskId]),
    mutant: inMessage('referenceTaskIds: [lapsed.taskId],', 'referenceTaskIds: [],'),
  },
  {
    paragraph: '10.1',
    must: 'names no task, so that a new one is created',
    check: () => assert.equal('taskId' in message(), false),
    mutant: inMessage(
      '      messageId: lapsed.messageId,',
      '      messageId: lapsed.messageId,\n      taskId: lapsed.taskId,',
    ),
  },
  {
    paragraph: '10.1',
    must: 'derives the message id from expectation, lapse and due time alone',
    check: () => {
      const id = `lapse:a:overdue:${at('09-10T00:00')}`;
      assert.deepEqual([lapsed('09-11T00:00').messageId, lapsed('09-19T00:00').messageId], [id, id]);
    },
    mutant: inCore('lapse.ts', '`lapse:${id}:${kind}:${block.dueAt}`', '`lapse:${id}:${kind}:${turn.at}`'),
  },
  {
    paragraph: '10.1',
    must: "carries the lapse block in the message's metadata, under the extension's URI",
    check: () => assert.deepEqual(message().metadata, { [EXTENSION_URI]: { lapse: lapsed().lapse } }),
    mutant: inMessage('metadata: { [EXTENSION_URI]: { lapse: lapsed.lapse } },', 'metadata: {},'),
  },
  {
    paragraph: '10.1',
    must: "states the lapse in a person's words in the message's parts",
    check: () => assert.match(message().parts[0].text, /a of PA-1.*2026-09-10/),
    mutant: inMessage('parts: [{ text: lapseText(lapsed.lapse, context) }],', "parts: [{ text: '' }],"),
  },
  {
    paragraph: '10.1',
    must: 'submits late rather than not at all, where it was down or slow',
    check: () =>
      assert.deepEqual(lapsesOf(told(raised('09-01T01:00', [expectation('a')]), tick('09-29T00:00'))), ['a overdue']),
    mutant: inCore(
      'deadlines.ts',
      'hasPassed(instant, turn.now);',
      'hasPassed(instant, turn.now) && turn.now - instant < 7 * 86_400_000;',
    ),
  },
];
