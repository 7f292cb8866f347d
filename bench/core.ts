// `npm run bench:core [-- --quick]`: the deciding core from objects to events, and bare `Map`s with a binary heap beside it
// in the same run. It asserts nothing about speed: it prints figures and the goals.
import { BareMaps } from './bare-maps.ts';
import { core } from './contestant.ts';
import { describeMachine, describeShare } from './measure.ts';
import { bytesOfMemory, type Figures, type Plan, run } from './phases.ts';

const full: Plan = {
  artifactCount: 333_334,
  subjectCount: 300_000,
  herdCount: 100_000,
  unmatchedCount: 1_000_000,
  satisfiedArtifactCount: 100_000,
  reportSize: 500,
};

const quick: Plan = {
  artifactCount: 1_000,
  subjectCount: 900,
  herdCount: 300,
  unmatchedCount: 2_000,
  satisfiedArtifactCount: 300,
  reportSize: 50,
};

interface Line {
  readonly what: string;
  readonly figure: keyof Figures;
  readonly goal: string;
  readonly write: (value: number) => string;
  /** How the core compares with bare `Map`s: above 1 it is the better one. */
  readonly ratio: (core: number, bare: number) => number;
}

const rate = (value: number): string => `${Math.round(value).toLocaleString('en')}/s`;
const seconds = (value: number): string => `${value.toFixed(2)} s`;
const bytes = (value: number): string => `${Math.round(value).toLocaleString('en')} B`;
const megabytes = (value: number): string => `${(value / 1e6).toFixed(1)} MB`;
const more = (core: number, bare: number): number => core / bare;
const less = (core: number, bare: number): number => bare / core;

const lines: readonly Line[] = [
  { what: 'expectations recorded', figure: 'recordRate', goal: '50,000/s', write: rate, ratio: more },
  { what: 'RSS an open expectation', figure: 'rssBytesPerOpen', goal: '1,000 B', write: bytes, ratio: less },
  { what: 'heap and buffers of it', figure: 'heldBytesPerOpen', goal: '', write: bytes, ratio: less },
  { what: 'snapshot of all', figure: 'snapshotSeconds', goal: '10 s', write: seconds, ratio: less },
  { what: 'its size', figure: 'snapshotBytes', goal: '', write: megabytes, ratio: less },
  { what: 'restored from it', figure: 'restoreSeconds', goal: '10 s', write: seconds, ratio: less },
  { what: 'facts that match nothing', figure: 'unmatchedReportRate', goal: '150,000/s', write: rate, ratio: more },
  { what: '… one a report', figure: 'unmatchedSingleRate', goal: '150,000/s', write: rate, ratio: more },
  { what: 'facts that satisfy', figure: 'satisfyReportRate', goal: '80,000/s', write: rate, ratio: more },
  { what: '… one a report', figure: 'satisfySingleRate', goal: '80,000/s', write: rate, ratio: more },
  { what: 'deadlines at one instant', figure: 'herdSeconds', goal: '1 s', write: seconds, ratio: less },
];

const plan = process.argv.includes('--quick') ? quick : full;
console.log(describeMachine());
console.log(
  `${plan.artifactCount * 3} expectations over ${plan.subjectCount} subjects, ${plan.unmatchedCount} facts that match ` +
    `nothing, ${plan.satisfiedArtifactCount * 3} that satisfy, reports of ${plan.reportSize}, ${plan.herdCount} deadlines at one instant\n`,
);

const ofCore = run(core(), plan);
const ofBare = run(new BareMaps(), plan);
const row = (cells: readonly string[]): string =>
  cells.map((cell, column) => (column === 0 ? cell.padEnd(26) : cell.padStart(14))).join('');
console.log(row(['', 'core', 'goal', 'bare maps', 'core to bare']));
for (const { what, figure, goal, write, ratio } of lines) {
  const ratioText = ratio(ofCore[figure], ofBare[figure]).toFixed(2);
  console.log(row([what, write(ofCore[figure]), goal, write(ofBare[figure]), ratioText]));
}

const held = bytesOfMemory(core, plan);
console.log(row(['a closed one, id aside', bytes(held.withdrawnBytes), '96 B']));
console.log(row(['… and what satisfied it', bytes(held.satisfiedBytes), '128 B']));
console.log(row(['a remembered fact', bytes(held.factBytes), '32 B']));
console.log(row(['… in the early window', bytes(held.factBytesInWindow), '']));
console.log(`\n${describeShare()}`);
