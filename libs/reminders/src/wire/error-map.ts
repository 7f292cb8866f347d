// What a refusal is on the wires: the RFC's table, in both bindings.
import type { Refusal, RefusalCode } from '../life-cycle/refusal.ts';

export interface WireError {
  /** JSON-RPC's. */
  readonly code: number;
  readonly httpStatus: number;
  /** `reason` of the ErrorInfo that A2A's own errors carry; absent for JSON-RPC's. */
  readonly reason?: string;
  /** Names the field, where there is one. */
  readonly message: string;
}

const rows: Readonly<Record<RefusalCode, Omit<WireError, 'message'>>> = {
  invalid: { code: -32602, httpStatus: 400 },
  task_terminal: { code: -32602, httpStatus: 400 },
  id_reused: { code: -32602, httpStatus: 400 },
  live_bound: { code: -32602, httpStatus: 400 },
  task_not_found: { code: -32001, httpStatus: 404, reason: 'TASK_NOT_FOUND' },
  not_implemented: { code: -32601, httpStatus: 404 },
  extension_required: { code: -32008, httpStatus: 400, reason: 'EXTENSION_SUPPORT_REQUIRED' },
};

export function wireErrorOf({ code, field, message }: Refusal): WireError {
  return { ...rows[code], message: field === undefined ? message : `${field}: ${message}` };
}
