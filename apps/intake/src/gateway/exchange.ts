// One request through the gateway, as all that handle it know it.
import type { Request, Response } from 'express';
import type { Reminder } from '#reminders';
import type { Caller } from '#runtime';
import type { HeaderPairs } from './forwarded-headers.ts';
import type { WatchedAgent } from './gateway-agents.ts';
import type { Binding, GatewayInterface } from './gateway-interfaces.ts';
import { bringsMessage, type Operation } from './operation.ts';
import type { Target } from './target.ts';

/** A request as it came, by what its path says. */
export interface GatewayCall {
  readonly tenant: string;
  readonly agentId: string;
  readonly binding: Binding;
  /** The last segment of the interface's path. */
  readonly version: string;
  readonly request: Request;
  readonly response: Response;
}

/** The same, read and allowed, with what is sent to the agent. */
export interface Exchange {
  readonly agent: WatchedAgent;
  readonly via: GatewayInterface;
  readonly operation: Operation;
  readonly client: Caller | undefined;
  readonly method: string;
  readonly target: Target;
  readonly headers: HeaderPairs;
  readonly body: Uint8Array;
  /** Whether the request activates the extension (§7). */
  readonly isActivated: boolean;
  /** Reminders that the gateway has put on its message. */
  readonly carried?: readonly Reminder[];
}

/** Whether it brings a message: such a request is noted before it is sent on. */
export function isSend({ operation }: Pick<Exchange, 'operation'>): boolean {
  return bringsMessage(operation);
}
