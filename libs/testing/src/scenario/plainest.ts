// Makes a scenario plainer by leaving things out, as long as it still shows what it is kept for.
import type { Scenario } from './vector.ts';

/** The scenario without anything that can be left out: inputs, listed items, settings. */
export function plainest(scenario: Scenario, isStillOne: (plainer: Scenario) => boolean): Scenario {
  let plain = scenario;
  for (;;) {
    const plainer = firstOf(withOneLess(plain) as Iterable<Scenario>, isStillOne);
    if (plainer === undefined) return plain;
    plain = plainer;
  }
}

function firstOf(candidates: Iterable<Scenario>, isStillOne: (plainer: Scenario) => boolean): Scenario | undefined {
  for (const candidate of candidates) if (isStillOne(candidate)) return candidate;
  return undefined;
}

/** Every value that differs from this one by one item of a list, or one setting, anywhere in it; the last inputs first. */
function* withOneLess(value: unknown, name = ''): Generator {
  if (Array.isArray(value)) {
    for (let index = value.length - 1; index >= 0; index -= 1) yield value.toSpliced(index, 1);
    for (let index = value.length - 1; index >= 0; index -= 1) {
      for (const item of withOneLess(value[index])) yield value.with(index, item);
    }
  } else if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value);
    for (const [member, held] of members) {
      if (name === 'config' || name === 'settings') {
        yield Object.fromEntries(members.filter(([other]) => other !== member));
      }
      for (const less of withOneLess(held, member)) yield { ...value, [member]: less };
    }
  }
}
