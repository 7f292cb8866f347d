// What the gateway answers to an inject that it takes itself, as the binding has it.
import type { Response } from 'express';
import { type InjectAnswer, type Refusal, wireErrorOf } from '#reminders';
import type { Dialect } from '../refusal.ts';

/** Errors by HTTP's status as google.rpc has them. */
const statusNames: ReadonlyMap<number, string> = new Map([
  [400, 'INVALID_ARGUMENT'],
  [404, 'NOT_FOUND'],
]);

export function writeInjectAnswer(response: Response, answer: InjectAnswer, { binding, rpcId }: Dialect): void {
  if (binding === 'rest') write(response, 200, answer, 'application/a2a+json');
  else write(response, 200, { jsonrpc: '2.0', id: rpcId, result: answer });
}

/** The RFC's table of errors, A2A's own with their reason. */
export function writeInjectRefusal(response: Response, refusal: Refusal, { binding, rpcId }: Dialect): void {
  const { code, httpStatus, reason, message } = wireErrorOf(refusal);
  const details = [
    ...(reason === undefined
      ? []
      : [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'a2a-protocol.org' }]),
    ...(refusal.field === undefined
      ? []
      : [
          {
            '@type': 'type.googleapis.com/google.rpc.BadRequest',
            fieldViolations: [{ field: refusal.field, description: refusal.message }],
          },
        ]),
  ];
  if (binding === 'rest') {
    const error = { code: httpStatus, status: statusNames.get(httpStatus) ?? 'UNKNOWN', message, details };
    write(response, httpStatus, { error }, 'application/a2a+json');
  } else write(response, 200, { jsonrpc: '2.0', id: rpcId, error: { code, message, data: details } });
}

function write(response: Response, status: number, body: object, type = 'application/json'): void {
  response.status(status).type(type).send(JSON.stringify(body));
}
