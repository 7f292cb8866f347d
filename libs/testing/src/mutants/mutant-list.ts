// The faults planted in libs/expectations/src that the comparison with the naive model has to find.
import type { Mutant } from './mutant.ts';

export const mutants: readonly Mutant[] = [];
