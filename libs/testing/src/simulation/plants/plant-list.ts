// All faults planted in the shell that a simulation has to find, each within the seeds of a hunt.
import type { Mutant } from '../../mutants/mutant.ts';
import { ofDispatcher } from './of-dispatcher.ts';
import { ofProjector } from './of-projector.ts';
import { ofTimekeeper } from './of-timekeeper.ts';

export const plants: readonly Mutant[] = [...ofTimekeeper, ...ofDispatcher, ...ofProjector];
