// What reminders change of a client's message, and what not.
import type { Reminder } from '#reminders';
import { carryingBody } from './carrying.ts';

const reminder = { id: 'r1', body: 'Rebase.' } as Reminder;
const other = { id: 'r2', body: 'Wait.' } as Reminder;

function carried(body: object, binding: 'jsonrpc' | 'rest', reminders: readonly Reminder[] = [reminder]): unknown {
  return JSON.parse(Buffer.from(carryingBody(Buffer.from(JSON.stringify(body)), binding, reminders)).toString());
}

it('the message has them in its metadata, and everything else stays', () => {
  const message = { messageId: 'm1', parts: [{ text: 'x' }], 'x-unknown': [1] };
  const metadata = { harn: { reminder } };
  expect(carried({ message, configuration: { historyLength: 0 } }, 'rest')).toEqual({
    message: { ...message, metadata },
    configuration: { historyLength: 0 },
  });
  expect(carried({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } }, 'jsonrpc')).toEqual({
    ...{ jsonrpc: '2.0', id: 1, method: 'SendMessage' },
    params: { message: { ...message, metadata } },
  });
});

it('what the message says of itself stays, its own reminders first', () => {
  const metadata = { a: 1, 'harn.reminder': { id: 'own' } };
  expect(carried({ request: { metadata } }, 'rest', [reminder, other])).toEqual({
    request: { metadata: { a: 1, harn: { reminder: [{ id: 'own' }, reminder, other] } } },
  });
});

it('a body without a message stays as it is', () => {
  const body = Buffer.from('{"params": 1}');
  expect(carryingBody(body, 'jsonrpc', [reminder])).toBe(body);
});
