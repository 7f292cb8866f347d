// Judges one expectation of an artifact or status message, alone: repeated, refused with its code, or recorded
// (semantics, *Recording an expectation*).
import type { RefusalCode } from '#expectations';
import { readExpectation, readableId } from './content.ts';
import type { Raised } from './content.ts';
import { sameJson } from './json.ts';
import { withdraw } from './lapse.ts';
import { bindNames, knownAs, latest } from './name.ts';
import { settingOf } from './configured.ts';
import { declaredKind, warningsOf } from './warnings.ts';
import type { Origin } from './warnings.ts';
import { isSameSubject, nextMoment, openOnes } from './world.ts';
import type { Expectation, World } from './world.ts';

/** The new expectation, or undefined where it was a repeat or was refused. */
export function recordOne(world: World, origin: Origin, item: unknown): Expectation | undefined {
  const raised = readExpectation(item);
  if (raised === undefined) {
    refuse(world, origin.agentId, item, 'invalid');
    return undefined;
  }
  const known = knownAs(world, origin.agentId, raised.id);
  if (known !== undefined && sameJson(known.content, item)) {
    world.happened.push('repeated');
    return undefined;
  }
  const code = known === undefined ? reasonToRefuse(world, origin.agentId, raised) : 'id_reused';
  if (code !== undefined) {
    refuse(world, origin.agentId, item, code);
    return undefined;
  }
  return record(world, origin, raised, item);
}

/** A refusal is reported unless the same one is still remembered; what has no readable id is reported each time. */
function refuse(world: World, agentId: string, item: unknown, code: RefusalCode): void {
  const id = readableId(item);
  const before = world.rememberedRefusals.some(
    (one) => one.agentId === agentId && one.id === id && one.code === code && sameJson(one.content, item),
  );
  if (before && id !== null) {
    world.happened.push('refused again');
    return;
  }
  world.refusals.push({ agentId, expectationId: id, code });
  world.rememberedRefusals.push({ agentId, id, content: item, code });
  world.happened.push(`refused:${code}`);
}

function reasonToRefuse(world: World, agentId: string, raised: Raised): RefusalCode | undefined {
  if (declaredKind(world, agentId, raised.kind) === undefined) return 'undeclared_kind';
  const replaced = raised.supersedes === undefined ? undefined : knownAs(world, agentId, raised.supersedes);
  if (raised.supersedes !== undefined && replaced === undefined) return 'supersedes_unknown';
  if (replaced !== undefined && replaced.status !== 'open') return 'supersedes_closed';
  for (let ancestor = replaced; ancestor !== undefined; ancestor = ancestor.ancestor) {
    if (!ancestor.forgotten && isIdentical(ancestor, raised)) return 'identical_in_lineage';
  }
  if (replaced !== undefined && replaced.lineage + 1 > settingOf(world, agentId, 'lineageBound'))
    return 'lineage_bound';
  if (closesACircle(world, agentId, raised, replaced)) return 'anchor_cycle';
  const others = openOnes(world).filter((one) => one !== replaced);
  const onSubject = others.filter((one) => isSameSubject(one.subject, raised.subject)).length;
  if (onSubject >= world.settings.maxOpenPerSubject) return 'subject_bound';
  const ofAgent = others.filter((one) => one.agentId === agentId).length;
  return ofAgent >= settingOf(world, agentId, 'maxOpenPerAgent') ? 'agent_bound' : undefined;
}

function isIdentical(ancestor: Expectation, raised: Raised): boolean {
  return (
    ancestor.kind === raised.kind &&
    isSameSubject(ancestor.subject, raised.subject) &&
    ancestor.factKey === raised.factKey &&
    ancestor.projectedDueAt === raised.dueAt
  );
}

/** Follows anchors, through successors and open expectations, looking for the new one or what it replaces. */
function closesACircle(world: World, agentId: string, raised: Raised, replaced: Expectation | undefined): boolean {
  let id: string | undefined = raised.anchor?.id;
  let meant = id === undefined ? undefined : knownAs(world, agentId, id);
  while (id !== undefined) {
    if (meant === undefined) return id === raised.id;
    const anchor = latest(meant);
    if (anchor === replaced) return true;
    if (anchor.status !== 'open') return false;
    id = anchor.anchor?.id;
    meant = anchor.anchor?.meant;
  }
  return false;
}

function record(world: World, origin: Origin, raised: Raised, item: unknown): Expectation {
  const { agentId, taskId, contextId } = origin;
  const replaced = raised.supersedes === undefined ? undefined : knownAs(world, agentId, raised.supersedes);
  const nameOf = (id: string): { id: string; meant: Expectation | undefined } => ({
    id,
    meant: knownAs(world, agentId, id),
  });
  const asksOfItsTask = origin.inStatus && isSameSubject(raised.subject, { type: 'task', id: taskId });
  const goesOnAsking = replaced !== undefined && replaced.question && isSameSubject(replaced.subject, raised.subject);
  const recorded: Expectation = {
    agentId,
    taskId,
    contextId,
    id: raised.id,
    content: item,
    kind: raised.kind,
    subject: raised.subject,
    expects: raised.expects,
    factKey: raised.factKey,
    projectedDueAt: raised.dueAt,
    grace: raised.grace,
    horizon: raised.horizon,
    anchor: raised.anchor === undefined ? undefined : { ...nameOf(raised.anchor.id), offset: raised.anchor.offset },
    after: raised.after.map(nameOf),
    ancestor: replaced,
    lineage: replaced === undefined ? 0 : replaced.lineage + 1,
    question: asksOfItsTask || goesOnAsking,
    warnings: warningsOf(world, origin, raised),
    recordedAt: world.now,
    moment: nextMoment(world),
    status: 'open',
    dueAt: raised.dueAt,
    reanchored: false,
    suspended: false,
    lapses: [],
    latestLapseAt: 0,
    retiresAt: undefined,
    satisfaction: undefined,
    withdrawn: undefined,
    successor: undefined,
    closedAt: 0,
    forgotten: false,
  };
  world.expectations.push(recorded);
  bindNames(world, recorded);
  if (replaced !== undefined) withdraw(world, replaced, 'superseded', recorded);
  return recorded;
}
