// How many items an observation lists: each costs a reading, a decision and an answer, however few bytes it has.
// To be asked before anything of it is read. It must never throw.
import { blockLists } from './block.ts';
import { METADATA_KEY } from './extension.ts';
import { observedPart } from './observed-part.ts';
import { isList, isObject, member } from './shape.ts';

/** The observation itself, its artifacts, and all that their blocks list. */
export function listedItemsCount(item: unknown): number {
  const part = isObject(item) ? observedPart(item, '') : undefined;
  if (part === undefined || 'wrong' in part) return 1;
  const observation = { [part.name]: part.value };
  const artifacts = list(within(observation, 'task', 'artifacts'));
  const carriers = [
    ...artifacts,
    within(observation, 'task', 'status', 'message'),
    within(observation, 'statusUpdate', 'status', 'message'),
    within(observation, 'artifactUpdate', 'artifact'),
    within(observation, 'message'),
  ];
  return carriers.reduce<number>((sum, carrier) => sum + blockItemsCount(carrier), 1 + artifacts.length);
}

function blockItemsCount(carrier: unknown): number {
  const metadata = within(carrier, 'metadata');
  const block = isObject(metadata) && Object.hasOwn(metadata, METADATA_KEY) ? metadata[METADATA_KEY] : undefined;
  return isObject(block) ? blockLists.reduce((sum, part) => sum + list(block[part]).length, 0) : 0;
}

function within(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce((inner, name) => (isObject(inner) ? member(inner, name) : undefined), value);
}

function list(value: unknown): readonly unknown[] {
  return isList(value) ? value : [];
}
