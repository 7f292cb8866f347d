// What of one exchange through the gateway is bounded, in bytes and in time.

import type { Shares } from '#runtime';

export interface GatewayLimits {
  /** Of an answer that is no stream. */
  readonly answerBytes: number;
  /** Of one server-sent event. */
  readonly eventBytes: number;
  /** Until the head of the answer to a send: an agent may work for as long before it answers. */
  readonly sendHeadersMs: number;
  /** Until the head of any other answer. */
  readonly headersMs: number;
  /** Between two pieces of an answer. */
  readonly bodyMs: number;
  /** The same of a stream: its agent may have nothing to say for long. */
  readonly streamMs: number;
  /** For so long a client may read nothing of what waits for it. */
  readonly drainMs: number;
  /** What may be under way at once, from the request's arrival to the answer's last byte: requests, and bytes of both. */
  readonly shares: Shares & { readonly agentCount: number; readonly agentBytes: number };
  /** Messages that are noted, and so sent on, a second. */
  readonly notes: { readonly agentPerSecond: number; readonly tenantPerSecond: number };
  /** Between two looks for sends that have no end. */
  readonly lookUpEveryMs: number;
}

/** The injection token of `GatewayLimits`; optional. */
export const GATEWAY_LIMITS = Symbol('GatewayLimits');

export const gatewayLimits: GatewayLimits = {
  answerBytes: 10_000_000,
  eventBytes: 4_194_304,
  sendHeadersMs: 1_800_000,
  headersMs: 60_000,
  bodyMs: 60_000,
  streamMs: 3_600_000,
  drainMs: 30_000,
  shares: {
    ...{ agentCount: 500, tenantCount: 1_000, allCount: 5_000 },
    ...{ agentBytes: 20_000_000, tenantBytes: 30_000_000, allBytes: 120_000_000 },
  },
  notes: { agentPerSecond: 500, tenantPerSecond: 1_000 },
  lookUpEveryMs: 5_000,
};
