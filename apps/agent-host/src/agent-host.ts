// The agent host's life: the folder, its card, the stores it was given, what runs; and down again in the other order.
import type { LoggerService } from '@nestjs/common';
import type { AgentHandler } from '#agent-handler';
import { AddressRanges, type Outbound } from '#outbound';
import type { ReminderBounds } from '#reminders';
import { type Clock, newId, systemRandom } from '#runtime';
import type { CardRefusal } from './card/card-refusal.ts';
import { type CompiledCard, compileCard } from './card/compile-card.ts';
import { loadAgent, type Loading } from './load-agent.ts';
import { inputReader } from './run/read-input.ts';
import { Runs } from './run/runs.ts';
import { defaultHostBounds, type HostBounds, Shares } from './run/shares.ts';
import { authentication } from './serve/authentication.ts';
import { HostOperations } from './serve/host-operations.ts';
import { InjectOperation } from './serve/inject-operation.ts';
import { defaultStillMs } from './serve/keep-alive.ts';
import { waitRoute } from './serve/wait-route.ts';
import { type Mountable, mountAgent } from './serve/mount-agent.ts';
import { KeptPushOperations } from './push/kept-push-operations.ts';
import { Pusher } from './push/pusher.ts';
import { noPushOperations } from './serve/push-operations.ts';
import type { HostStores } from './store/host-stores.ts';
import { type Keeping, Retention } from './store/retention.ts';
import { Worker } from './work/worker.ts';

export interface AgentHostOptions {
  readonly folder: string;
  /** What each responsibility is kept in; none follows from another. */
  readonly stores: HostStores;
  readonly outbound: Outbound;
  readonly clock: Clock;
  readonly log: LoggerService;
  /** After so long without a word a process counts as gone. */
  readonly leaseMs: number;
  readonly cancelPatienceMs: number;
  /** Whose word on clients' certificates is believed; nobody's unless given. */
  readonly proxies?: AddressRanges;
  /** How much there may be at once; `defaultHostBounds` unless given. */
  readonly bounds?: HostBounds;
  /** What may be asked for with a reminder; the life cycle's own bounds unless given. */
  readonly reminderBounds?: ReminderBounds;
  /** How long a stream may be still; `defaultStillMs` unless given. */
  readonly stillMs?: number;
  /** Absent: everything is kept for as long as its store keeps it. */
  readonly keeping?: Keeping;
}

/** The card claims what is not done: each claim with its reason. */
export class CardRefusedError extends Error {
  override readonly name = 'CardRefusedError';
  readonly retryable = false;

  constructor(readonly refusals: readonly CardRefusal[]) {
    const lines = refusals.map(
      ({ claim, code, reason }) => `  ${claim === '' ? 'the card' : claim}: ${reason} (${code})`,
    );
    super(`the card cannot be served as it is:\n${lines.join('\n')}`);
  }
}

/** The handler queues work, and the host was given nowhere to keep it. */
export class WorkNotKeptError extends Error {
  override readonly name = 'WorkNotKeptError';
  readonly retryable = false;

  constructor() {
    super('the handler queues work: say where it is kept, with --work memory, postgres or redis');
  }
}

export class AgentHost {
  private constructor(
    private readonly runs: Runs,
    private readonly worker: Worker | undefined,
    private readonly beside: readonly (Pusher | Retention | undefined)[],
    private readonly mountAt: (app: Mountable) => void,
    readonly compiled: CompiledCard,
  ) {}

  /**
   * Reads the folder and compiles its card; nothing runs yet. Throws `AgentFolderError`, `CardRefusedError`, and what ends
   * the loading.
   */
  static async load(options: AgentHostOptions, loading: Loading): Promise<AgentHost> {
    const { cardText, handler } = await loadAgent(options.folder, loading);
    return AgentHost.of(cardText, handler, options);
  }

  /** The same of a card and a handler that are at hand. */
  static of(cardText: string, handler: AgentHandler, options: Omit<AgentHostOptions, 'folder'>): AgentHost {
    const { stores, clock, leaseMs, log, cancelPatienceMs: patienceMs, proxies = new AddressRanges([]) } = options;
    if (handler.work !== undefined && stores.work === undefined) throw new WorkNotKeptError();
    const compiled = compile(cardText, handler, stores, !proxies.isEmpty);
    const owner = newId();
    const application = compiled.card.name;
    const readInput = inputReader(handler.input);
    const { tasks, sessions, work } = stores;
    // Kept whatever the card claims: another process of the application may have another card, while one replaces the other.
    const journal = tasks.keepReminders(options.reminderBounds);
    const reminders = compiled.reminders?.inject === true ? { reminders: journal } : {};
    const bounds = options.bounds ?? defaultHostBounds;
    const shares = { turns: new Shares(bounds.turns), streams: new Shares(bounds.streams) };
    const shared = {
      ...{ application, handler, readInput, tasks, clock, newId, ...(work && { work }), ...reminders },
      ...shares,
    };
    const waitsUrl = `${(compiled.card.supportedInterfaces[0]?.url ?? '').replace(/\/+$/, '')}/waits`;
    const runs = new Runs({ ...shared, agentName: application, sessions, log, owner, leaseMs, waitsUrl });
    const lease = { owner, leaseMs };
    const isPushed = compiled.card.capabilities?.pushNotifications === true && stores.push !== undefined;
    const kept = isPushed ? stores.push : undefined;
    const push = kept === undefined ? noPushOperations : new KeptPushOperations({ ...shared, store: kept });
    const operations = new HostOperations({ ...shared, card: compiled.card, runs, lease, patienceMs, push });
    const calls = options.outbound.as();
    const { fetch } = calls;
    const pusher = kept && new Pusher({ ...shared, store: kept, calls, random: systemRandom, log });
    const { reminders: declared } = compiled;
    const inject = new InjectOperation({ ...shared, ...(declared && { declared }) });
    const verifications = handler.security ?? {};
    const authenticate = authentication({
      ...{ security: compiled.security, verifications, fetch, clock, log, proxies },
    });
    const { stillMs = defaultStillMs } = options;
    const { documents = {} } = handler;
    const waits = work && { waits: waitRoute({ application, work, log }) };
    const mounted = { compiled, operations, push, authenticate, log, inject, clock, stillMs, documents, ...waits };
    const mount = (app: Mountable): void => mountAgent(app, mounted);
    const worker =
      work && new Worker({ ...{ application, handler, queue: work, tasks, runs, clock, newId, lease, log } });
    const { keeping } = options;
    const retention = keeping && new Retention({ ...shared, sessions, keeping, log });
    return new AgentHost(runs, worker, [pusher, retention], mount, compiled);
  }

  /** Before the server listens. */
  mount(app: Mountable): void {
    this.mountAt(app);
    this.runs.keep();
    for (const each of [this.worker, ...this.beside]) each?.start();
  }

  /** Tells what runs to end, and waits for it. */
  async close(): Promise<void> {
    await this.worker?.close();
    await this.runs.close();
    for (const each of this.beside) await each?.close();
  }
}

function compile(cardText: string, handler: AgentHandler, stores: HostStores, hasProxies: boolean): CompiledCard {
  const answer = compileCard(cardText, {
    hasPushStore: stores.push !== undefined,
    extensions: handler.extensions ?? [],
    verifications: handler.security ?? {},
    hasProxies,
    takesReminders: handler.reminders === true,
    isTyped: handler.input !== undefined && handler.input !== 'text',
  });
  if ('refusals' in answer) throw new CardRefusedError(answer.refusals);
  return answer.compiled;
}
