// The RFC's table of errors, row by row.
import { refusalCodes } from '../life-cycle/refusal.ts';
import { wireErrorOf } from './error-map.ts';

it.each([
  ['invalid', -32602, 400, undefined],
  ['task_terminal', -32602, 400, undefined],
  ['id_reused', -32602, 400, undefined],
  ['live_bound', -32602, 400, undefined],
  ['task_not_found', -32001, 404, 'TASK_NOT_FOUND'],
  ['not_implemented', -32601, 404, undefined],
  ['extension_required', -32008, 400, 'EXTENSION_SUPPORT_REQUIRED'],
] as const)('%s is %d', (code, number, httpStatus, reason) => {
  const error = { code: number, httpStatus, message: 'why', ...(reason !== undefined && { reason }) };
  expect(wireErrorOf({ code, message: 'why' })).toEqual(error);
});

it('has a row for every refusal', () => {
  for (const code of refusalCodes) expect(wireErrorOf({ code, message: '' }).code).toBeLessThan(0);
});

it('names the field', () => {
  expect(wireErrorOf({ code: 'invalid', field: 'reminder.body', message: 'is missing' }).message).toBe(
    'reminder.body: is missing',
  );
});
