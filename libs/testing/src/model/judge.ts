// The naive second model of the watcher: a list and a loop, written from the specification alone.
// It must share no code with the core, know no index, and prefer the obvious to the fast.
import type { Input, WarningCode } from '#expectations';
import type { Decided, ExpectedRecord, Scenario } from '../scenario/vector.ts';
import { configure, firstSettings } from './configured.ts';
import { readBlock } from './content.ts';
import { fireDeadlines } from './deadline.ts';
import { readInstant, writeInstant } from './instant.ts';
import { compareByCodePoint, isObject, isText, listOf } from './json.ts';
import { withdraw } from './lapse.ts';
import { forget } from './memory.ts';
import { knownAs } from './name.ts';
import { applyWhatHappened } from './passes.ts';
import { recordOne } from './record.ts';
import type { Origin } from './warnings.ts';
import { applyReport } from './report.ts';
import { answer, applyState, isQuestionAbout, questionsAbout } from './status.ts';
import { isInterrupted } from './task-state.ts';
import type { Expectation, World } from './world.ts';

/** What the model decides, and what it can say beyond a vector's `expected`. */
export interface Judgement extends Decided {
  /** Of every expectation, in the order recorded: its warnings, in the order of the specification. */
  readonly warnings: readonly {
    readonly agentId: string;
    readonly expectationId: string;
    readonly warnings: readonly WarningCode[];
  }[];
  /** What is open and suspended at the end. */
  readonly suspended: readonly { readonly agentId: string; readonly expectationId: string }[];
  /** What happened on the way, by name, once for each time. */
  readonly happened: readonly string[];
}

/** Judges a scenario from its first input to its last. Throws where an input's own instant is malformed. */
export function judge(scenario: Scenario): Judgement {
  const world: World = {
    now: 0,
    moment: 0,
    settings: firstSettings,
    agentSettings: [],
    cards: [],
    expectations: [],
    facts: [],
    factsOnSubjects: [],
    satisfactions: [],
    tasks: [],
    rememberedRefusals: [],
    lapses: [],
    refusals: [],
    happened: [],
  };
  configure(world, scenario.config ?? {}, undefined);
  for (const input of scenario.inputs) {
    const at = readInstant(input.at);
    if (at === undefined) throw new TypeError(`an input is stamped with no instant: ${input.at}`);
    world.now = Math.max(world.now, at);
    fireDeadlines(world);
    forget(world);
    apply(world, input);
    fireDeadlines(world);
  }
  return judgementOf(world);
}

function apply(world: World, input: Input): void {
  switch (input.type) {
    case 'agentDeclared':
      return declare(world, input.agentId, input.params);
    case 'artifactObserved':
      applyBlock(world, { ...input, inStatus: false, activated: input.activated !== false }, input.artifact);
      return;
    case 'statusObserved': {
      const outcome = applyState(world, input, input.state, input.statusAt);
      const comesTooLate = outcome === 'gone on' && typeof input.state === 'string' && isInterrupted(input.state);
      const origin = { ...input, inStatus: true, activated: input.activated !== false };
      return applyBlock(world, origin, input.message, comesTooLate);
    }
    case 'answerObserved':
      return answer(
        world,
        input,
        questionsAbout(world, input).filter(({ id }) => !(input.except ?? []).includes(id)),
        input.reporter,
        'satisfied:answer',
      );
    case 'factReported':
      return applyReport(world, input.reporter, [input.fact]);
    case 'factsReported':
      return applyReport(world, input.reporter, listOf(input.facts));
    case 'configured':
      return configure(world, input.settings, input.agentId);
    case 'tick':
    case 'dispatchAttempted':
    case 'dispatchAcknowledged':
    case 'dispatchFailed':
      return;
  }
}

function declare(world: World, agentId: string, params: unknown): void {
  const kinds = listOf(isObject(params) ? params['kinds'] : undefined)
    .filter(isObject)
    .flatMap(({ kind, subjectType }) => (isText(kind) ? [{ kind, subjectType }] : []));
  const card = world.cards.find((one) => one.agentId === agentId);
  if (card === undefined) world.cards.push({ agentId, kinds });
  else card.kinds = kinds;
}

/** A block's expectations with what already happened, then its withdrawals, then its facts. */
function applyBlock(world: World, origin: Origin, carrier: unknown, questionsComeTooLate = false): void {
  const block = readBlock(carrier);
  const recorded: Expectation[] = [];
  for (const item of block.expectations) {
    const one = recordOne(world, origin, item);
    if (one !== undefined) recorded.push(one);
  }
  applyWhatHappened(world, recorded);
  if (questionsComeTooLate) {
    const questions = recorded.filter((one) => one.status === 'open' && isQuestionAbout(one, origin));
    answer(world, origin, questions, 'task-state', 'satisfied:at once');
  }
  for (const id of block.withdraw) {
    const named = typeof id === 'string' ? knownAs(world, origin.agentId, id) : undefined;
    if (named?.status === 'open') withdraw(world, named, 'agent');
  }
  applyReport(world, `agent:${origin.agentId}`, block.facts);
}

function judgementOf(world: World): Judgement {
  const sorted = world.expectations.toSorted(
    (one, other) => compareByCodePoint(one.agentId, other.agentId) || compareByCodePoint(one.id, other.id),
  );
  return {
    records: sorted.map(recordOf),
    lapses: world.lapses,
    refusals: world.refusals,
    warnings: world.expectations.map(({ agentId, id, warnings }) => ({ agentId, expectationId: id, warnings })),
    suspended: sorted
      .filter((one) => one.status === 'open' && one.suspended)
      .map(({ agentId, id }) => ({ agentId, expectationId: id })),
    happened: world.happened,
  };
}

function recordOf(one: Expectation): ExpectedRecord {
  return {
    agentId: one.agentId,
    expectationId: one.id,
    status: one.status,
    projectedDueAt: writeInstant(one.projectedDueAt),
    dueAt: writeInstant(one.dueAt),
    lineage: one.lineage,
    lapses: one.lapses,
    ...(one.status === 'open' && one.suspended ? { suspended: true as const } : {}),
    ...(one.satisfaction === undefined
      ? {}
      : {
          ...one.satisfaction,
          satisfiedAt: writeInstant(one.satisfaction.satisfiedAt),
          observedAt: writeInstant(one.satisfaction.observedAt),
        }),
    ...(one.withdrawn === undefined ? {} : { withdrawn: one.withdrawn }),
    ...(one.successor === undefined ? {} : { supersededBy: one.successor.id }),
  };
}
