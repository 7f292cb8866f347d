// What a request that reaches no operation is answered, in both bindings: the only place here that knows the codes.
import { A2A_ERROR_CODE } from '@a2a-js/sdk/errors';
import type { WireError } from '#reminders';

export type EdgeRefusalCode =
  | 'not-json'
  | 'no-request'
  | 'malformed'
  | 'too-large'
  | 'media-type'
  | 'misdirected'
  | 'caller-overloaded'
  | 'overloaded'
  | 'unavailable';

export interface EdgeRefusal {
  readonly code: EdgeRefusalCode;
  readonly why: string;
  /** The member that is wrong, where it is one. */
  readonly field?: string;
}

/** What the wires show of it. */
export interface EdgeError extends WireError {
  readonly field?: string;
  /** In JSON-RPC, too; else an error is told with 200 there. */
  readonly isHttp?: boolean;
  readonly retryAfterSeconds?: number;
}

const { PARSE_ERROR, INVALID_REQUEST, INVALID_PARAMS, CONTENT_TYPE_NOT_SUPPORTED, INTERNAL_ERROR } = A2A_ERROR_CODE;
const reason = 'INVALID_PARAMS';

const rows: Readonly<Record<EdgeRefusalCode, Omit<EdgeError, 'message' | 'field'>>> = {
  'not-json': { code: PARSE_ERROR, httpStatus: 400, reason },
  'no-request': { code: INVALID_REQUEST, httpStatus: 400, reason },
  malformed: { code: INVALID_PARAMS, httpStatus: 400, reason },
  'too-large': { code: INVALID_REQUEST, httpStatus: 413, reason },
  'media-type': { code: CONTENT_TYPE_NOT_SUPPORTED, httpStatus: 400, reason: 'CONTENT_TYPE_NOT_SUPPORTED' },
  misdirected: { code: INVALID_REQUEST, httpStatus: 421, isHttp: true },
  'caller-overloaded': { code: INTERNAL_ERROR, httpStatus: 429, isHttp: true, retryAfterSeconds: 1 },
  overloaded: { code: INTERNAL_ERROR, httpStatus: 503, isHttp: true, retryAfterSeconds: 1 },
  unavailable: { code: INTERNAL_ERROR, httpStatus: 503, retryAfterSeconds: 5 },
};

export function edgeErrorOf({ code, why, field }: EdgeRefusal): EdgeError {
  if (field === undefined) return { ...rows[code], message: why };
  return { ...rows[code], message: `${field === '' ? 'the request' : field} ${why}`, field };
}

/** Errors by HTTP's status as google.rpc has them. */
export const statusNames: ReadonlyMap<number, string> = new Map([
  [400, 'INVALID_ARGUMENT'],
  [404, 'NOT_FOUND'],
  [413, 'INVALID_ARGUMENT'],
  [421, 'FAILED_PRECONDITION'],
  [429, 'RESOURCE_EXHAUSTED'],
  [503, 'UNAVAILABLE'],
]);
