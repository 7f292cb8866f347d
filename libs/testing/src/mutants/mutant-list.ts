// The faults planted in libs/expectations/src that the comparison with the naive model has to find: at least one a file of rules.
// What a scenario cannot show (leave to send, warnings, endless loops) has specs of its own in the core.
import type { Mutant } from './mutant.ts';
import { ofClosing } from './of-closing.ts';
import { ofFacts } from './of-facts.ts';
import { ofRecording } from './of-recording.ts';
import { ofTime } from './of-time.ts';

export const mutants: readonly Mutant[] = [...ofTime, ...ofRecording, ...ofFacts, ...ofClosing];
