// Who reported a fact (Expectations §13.5): the source that the principal may claim and claims, else its stable name.
// It must never believe a source unchecked.
import { isList, isObject } from './shape.ts';

/** Whoever sends facts, as its credential says. */
export interface Principal {
  /** The stable name, never a key's id. */
  readonly name: string;
  /** The sources it may claim: exact, or a beginning with `*` after it. */
  readonly sources: readonly string[];
}

export type ReporterRead =
  { readonly reporter: string } | { readonly refused: string; readonly code: 'invalid' | 'source_not_allowed' };

/** What the reporters that the watcher itself attributes begin with: none is claimed by a general `*`. */
const attributed = ['agent:', 'kafka:'];

/** The reporter of an answer that was seen to pass where nobody said who the client is (§11). */
export const gatewayReporter = 'gateway';

/** What only the watcher itself says, of what it has seen. */
const neverClaimed: readonly string[] = ['task-state', gatewayReporter];

/** The reporter of the facts that an agent puts into its own artifacts, statuses and messages. */
export function reporterOfAgent(agentId: string): string {
  return `agent:${agentId}`;
}

/** The reporter of the facts in a topic of Kafka's: whoever Kafka lets write there. */
export function reporterOfTopic(topic: string): string {
  return `kafka:${topic}`;
}

/** The reporter of a fact that the principal sends, or why it may not send it so. */
export function reporterOf(fact: unknown, principal: Principal): ReporterRead {
  const source = isObject(fact) ? fact['source'] : undefined;
  if (source === undefined || source === null || source === '') return { reporter: principal.name };
  if (typeof source !== 'string') return { refused: 'source must be a text', code: 'invalid' };
  if (source === principal.name || mayClaim(source, principal.sources)) return { reporter: source };
  return {
    refused: `this key may not claim the source ${JSON.stringify(source.slice(0, 100))}`,
    code: 'source_not_allowed',
  };
}

// What the watcher itself attributes (an agent's own report, a topic, a task's state) is never claimed by a general `*`.
function mayClaim(source: string, allowed: unknown): boolean {
  if (!isList(allowed)) return false;
  return allowed.some((pattern) => {
    if (typeof pattern !== 'string') return false;
    if (pattern === source) return !neverClaimed.includes(source);
    if (!pattern.endsWith('*') || neverClaimed.includes(source)) return false;
    const beginning = pattern.slice(0, -1);
    return (
      source.startsWith(beginning) && attributed.every((own) => !source.startsWith(own) || beginning.startsWith(own))
    );
  });
}
