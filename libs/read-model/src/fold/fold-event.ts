// The fold: one event, one change. Plain assignments; what follows from an event was decided when it was written.
import {
  type AgentDeclaredEvent,
  type ConfiguredEvent,
  type Event,
  type ExpectationRefused,
  type FactRefused,
  isTerminal,
  type StatusApplied,
} from '#expectations';
import { identityHash } from '../stored-text.ts';
import type { RefusalRow } from '../tables/refusal.entity.ts';
import type { Changes, Origin } from './changes.ts';
import { foldDispatch } from './fold-dispatch.ts';
import { foldExpectation } from './fold-expectation.ts';
import { foldFact } from './fold-fact.ts';

/** Adds to `changes` what the event changes. Throws a `TypeError` where it is not of the shape it must have. */
export function foldEvent(changes: Changes, origin: Origin, event: Event): void {
  switch (event.type) {
    case 'expectationRecorded':
    case 'expectationSuspended':
    case 'expectationReleased':
    case 'expectationReanchored':
    case 'expectationSatisfied':
    case 'expectationWithdrawn':
      foldExpectation(changes, origin, event);
      return;
    case 'expectationLapsed':
    case 'dispatchAttempted':
    case 'dispatchAcknowledged':
    case 'dispatchFailed':
    case 'dispatchVoided':
      foldDispatch(changes, origin, event);
      return;
    case 'factRecorded':
      foldFact(changes, origin, event);
      return;
    case 'expectationRefused':
      if (event.reported) changes.refusals.push(refusedExpectation(origin, event));
      return;
    case 'factRefused':
      changes.refusals.push(refusedFact(origin, event));
      return;
    case 'statusApplied':
      foldStatus(changes, origin, event);
      return;
    case 'agentDeclared':
      foldDeclaration(changes, origin, event);
      return;
    case 'configured':
      foldSettings(changes, origin, event);
      return;
    case 'expectationRepeated':
    case 'factRepeated':
    case 'statusIgnored':
    case 'inputIgnored':
      return;
    default:
      throw new TypeError(`there is no event of type ${JSON.stringify((event as { type?: unknown }).type)}`);
  }
}

const untold = { telling: null, tellingEndedAt: null, tellingCause: null, toldTaskId: null };

function refusedExpectation(origin: Origin, event: ExpectationRefused): RefusalRow {
  const { agentId, expectationId, taskId, code, message, at } = event;
  return {
    ...origin,
    refused: 'expectation',
    code,
    message,
    refusedAt: at,
    agentId,
    expectationId,
    taskId,
    reporter: null,
    factKey: null,
    ...untold,
  };
}

function refusedFact(origin: Origin, event: FactRefused): RefusalRow {
  const { reporter, factKey, code, message, at } = event;
  return {
    ...origin,
    refused: 'fact',
    code,
    message,
    refusedAt: at,
    agentId: null,
    expectationId: null,
    taskId: null,
    reporter,
    factKey,
    ...untold,
  };
}

function foldStatus(changes: Changes, { tenant }: Origin, event: StatusApplied): void {
  const { agentId, taskId, contextId, state, at } = event;
  const taskHash = identityHash(tenant, agentId, taskId);
  const statusAt = event.statusAt ?? changes.tasks.get(taskHash)?.statusAt ?? null;
  changes.tasks.set(taskHash, { taskHash, tenant, agentId, taskId, contextId, state, statusAt, appliedAt: at });
  if (isTerminal(state)) changes.taskEnded(taskHash);
}

function foldDeclaration(changes: Changes, { tenant }: Origin, event: AgentDeclaredEvent): void {
  const { agentId, at } = event;
  const agentHash = identityHash(tenant, agentId);
  changes.declarations.set(agentHash, { agentHash, tenant, agentId, params: event.params ?? null, declaredAt: at });
}

function foldSettings(changes: Changes, { tenant }: Origin, event: ConfiguredEvent): void {
  const agentId = event.agentId ?? null;
  const scopeHash = agentId === null ? identityHash(tenant) : identityHash(tenant, agentId);
  const settings = { ...changes.settings.get(scopeHash)?.settings, ...event.settings };
  changes.settings.set(scopeHash, { scopeHash, tenant, agentId, settings, configuredAt: event.at });
}
