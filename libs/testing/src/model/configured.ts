// Settings: the first ones, and what an input of type `configured` changes from its own input on (semantics, *Settings*).
import type { Settings } from '#expectations';
import { readDuration } from './duration.ts';
import { isObject } from './json.ts';
import type { World } from './world.ts';

const form: Readonly<Record<keyof Settings, 'count' | 'duration' | 'flag'>> = {
  lineageBound: 'count',
  maxOpenPerSubject: 'count',
  maxOpenPerAgent: 'count',
  earlyFactWindow: 'duration',
  retireAfter: 'duration',
  closedMemory: 'duration',
  factMemory: 'duration',
  factMemoryMax: 'count',
  refusalMemory: 'count',
  dispatchSelfTimed: 'flag',
  skippedSettleTime: 'duration',
};

const ofAnAgent: readonly string[] = [
  'lineageBound',
  'maxOpenPerAgent',
  'refusalMemory',
  'dispatchSelfTimed',
  'skippedSettleTime',
];

/** The settings of a tenant that was told none. */
export const firstSettings: Settings = {
  lineageBound: 3,
  maxOpenPerSubject: 100,
  maxOpenPerAgent: 1_000_000,
  earlyFactWindow: 'PT1H',
  retireAfter: 'P90D',
  closedMemory: 'P90D',
  factMemory: 'P7D',
  factMemoryMax: 1_000_000,
  refusalMemory: 1000,
  dispatchSelfTimed: false,
  skippedSettleTime: 'PT10S',
};

function isSetting(name: string, value: unknown): boolean {
  const expected = Object.hasOwn(form, name) ? form[name as keyof Settings] : undefined;
  if (expected === 'count') return Number.isSafeInteger(value) && (value as number) >= 0;
  if (expected === 'duration') return readDuration(value) !== undefined;
  return expected === 'flag' && typeof value === 'boolean';
}

/** Applies settings for the tenant or for one agent; with an unknown name or a wrong type anywhere, none of them. */
export function configure(world: World, settings: unknown, agentId: string | undefined): void {
  if (!isObject(settings)) return;
  const entries = Object.entries(settings);
  if (!entries.every(([name, value]) => isSetting(name, value))) return;
  if (agentId === undefined) {
    world.settings = { ...world.settings, ...settings };
    return;
  }
  if (!entries.every(([name]) => ofAnAgent.includes(name))) return;
  const known = world.agentSettings.find((one) => one.agentId === agentId);
  if (known === undefined) world.agentSettings.push({ agentId, settings });
  else known.settings = { ...known.settings, ...settings };
}

/** A setting as it counts for an agent: its own, else the tenant's. */
export function settingOf(
  world: World,
  agentId: string,
  name: 'lineageBound' | 'maxOpenPerAgent' | 'refusalMemory',
): number {
  return world.agentSettings.find((one) => one.agentId === agentId)?.settings[name] ?? world.settings[name];
}
