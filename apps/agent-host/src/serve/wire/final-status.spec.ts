// What of a stream of 0.3 is said to be its last status.
import type { Request, Response } from 'express';
import { REMINDERS_URI } from '#reminders';
import { sayFinal } from './final-status.ts';

/** Of each event whether it is final, as it leaves. */
function finals(version: string | undefined, ...events: object[]): unknown[] {
  const written: string[] = [];
  const response = { write: (chunk: string) => written.push(chunk) } as unknown as Response;
  void sayFinal({ header: () => version } as unknown as Request, response, () => undefined);
  for (const event of events) response.write(`data: ${JSON.stringify(event)}\n\n`);
  return written.map((chunk) => {
    const { result, statusUpdate = result } = JSON.parse(chunk.slice('data: '.length));
    return statusUpdate.final;
  });
}

const status = (state: string, more: object = {}) => ({
  kind: 'status-update',
  status: { state },
  final: false,
  ...more,
});
const told = { metadata: { [REMINDERS_URI]: {} } };

it('is the one with which the agent waits for its caller, in both bindings', () => {
  const rpc = ['working', 'input-required', 'auth-required'].map((state) => ({
    jsonrpc: '2.0',
    result: status(state),
  }));
  expect(finals(undefined, ...rpc)).toEqual([false, true, true]);
  const rest = ['TASK_STATE_WORKING', 'TASK_STATE_INPUT_REQUIRED'].map((state) => ({ statusUpdate: status(state) }));
  expect(finals('0.3', ...rest)).toEqual([false, true]);
});

it('is neither what a reminder is told in, nor the task with which a stream begins', () => {
  expect(finals('0.3', { result: status('input-required', told) })).toEqual([false]);
  const task = { kind: 'task', status: { state: 'input-required' } };
  expect(finals('0.3', { result: task })).toEqual([undefined]);
});

it('is not told to clients of 1.0, which know no such member', () => {
  expect(finals('1.0', { statusUpdate: { status: { state: 'TASK_STATE_INPUT_REQUIRED' } } })).toEqual([undefined]);
});
