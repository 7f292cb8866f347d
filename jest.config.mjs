import { readFileSync } from 'node:fs';

const swc = JSON.parse(readFileSync(new URL('./.swcrc', import.meta.url), 'utf8'));
delete swc.$schema;
delete swc.jsc.rewriteRelativeImportExtensions;

// Browser suites need a chromium; they run only when asked for (CI does).
const browserSuites = process.env.DUEWATCH_BROWSER ? [] : ['\\.browser\\.spec\\.ts$'];

/** @type {import('jest').Config} */
export default {
  testMatch: ['**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', ...browserSuites],
  modulePathIgnorePatterns: ['/dist/'],
  extensionsToTreatAsEsm: ['.ts'],
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  transform: { '^.+\\.ts$': ['@swc/jest', { ...swc, swcrc: false }] },
  globalSetup: './libs/testing/src/postgres/global-setup.mjs',
  globalTeardown: './libs/testing/src/postgres/global-teardown.mjs',
  testTimeout: 60_000,
};
