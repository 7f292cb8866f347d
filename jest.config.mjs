import { readFileSync } from 'node:fs';

const swc = JSON.parse(readFileSync(new URL('./.swcrc', import.meta.url), 'utf8'));
delete swc.$schema;
delete swc.jsc.rewriteRelativeImportExtensions;

// Browser suites need a chromium; they run only when asked for (CI does).
const browserSuites = process.env.DUEWATCH_BROWSER ? [] : ['\\.browser\\.spec\\.ts$'];

// The simulation takes minutes; it runs only when asked for (CI does).
const simulationSuites = process.env.DUEWATCH_SIMULATION ? [] : ['\\.simulation\\.spec\\.ts$'];

// A real Kafka takes a Java and a Maven, or Docker; its suites run only when asked for (CI does).
const kafkaSuites = process.env.DUEWATCH_KAFKA ? [] : ['\\.kafka\\.spec\\.ts$'];

// A real Redis is another package of the system's; its suites run only when asked for (CI does).
const redisSuites = process.env.DUEWATCH_REDIS ? [] : ['\\.redis\\.spec\\.ts$'];

const notAskedFor = [...browserSuites, ...simulationSuites, ...kafkaSuites, ...redisSuites];

/** @type {import('jest').Config} */
export default {
  testMatch: ['**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', ...notAskedFor],
  modulePathIgnorePatterns: ['/dist/'],
  extensionsToTreatAsEsm: ['.ts'],
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  transform: { '^.+\\.ts$': ['@swc/jest', { ...swc, swcrc: false }] },
  globalSetup: './libs/testing/src/postgres/global-setup.mjs',
  globalTeardown: './libs/testing/src/postgres/global-teardown.mjs',
  // A machine may be slow; what waits for a condition has a limit of its own, and says what it waited for.
  testTimeout: process.env.DUEWATCH_SIMULATION ? 600_000 : 300_000,
  // Nothing that a suite has loaded is given back before its process ends: with all suites in one, it runs out of memory.
  workerIdleMemoryLimit: '1GB',
  // The others start processes of their own, or threads.
  maxWorkers: process.env.DUEWATCH_KAFKA || process.env.DUEWATCH_SIMULATION ? 1 : 2,
};
