// Who may import whom. Directions only: what a line may say is ESLint's, what a file may be called is test/tidy.spec.ts's.
const spec = '\\.spec\\.ts$';

// What is started or loaded by name and not imported: processes, libs' entries, jest's set-up, long tests, benches.
const entry = [
  '^libs/[^/]+/src/index\\.ts$',
  '^libs/protocol/src/pure\\.ts$',
  '^apps/[^/]+/src/(main|[a-z-]+\\.module)\\.ts$',
  '^examples/[^/]+/(agent|feed|client|demo|handler)\\.ts$',
  '^(test|bench)/',
  '(^|/)(global-setup|global-teardown|[a-z-]+\\.worker|[a-z-]+\\.long)\\.ts$',
];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'core-imports-nothing',
      comment: 'The core is pure: nothing but itself and temporal-polyfill.',
      severity: 'error',
      from: { path: '^libs/expectations/', pathNot: spec },
      to: { pathNot: ['^libs/expectations/', '^node_modules/temporal-(polyfill|spec|utils)/'] },
    },
    {
      name: 'libs-below-apps',
      comment: 'A lib never imports an app or an example.',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^(apps|examples|test|bench)/' },
    },
    {
      name: 'apps-apart',
      comment:
        'Apps talk through the log. Only the composition root, apps/cli, imports other apps, and only their modules.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/', pathNot: '^apps/cli/' },
      to: { path: '^(apps|examples)/', pathNot: '^apps/$1/' },
    },
    {
      name: 'cli-composes-modules',
      comment: 'The composition root imports the modules of apps, nothing deeper.',
      severity: 'error',
      from: { path: '^apps/cli/' },
      to: { path: '^(apps|examples)/', pathNot: ['^apps/cli/', '^apps/[^/]+/src/[a-z-]+\\.module\\.ts$'] },
    },
    {
      name: 'examples-are-outsiders',
      comment:
        'An example uses the public surface: no app, and of the libs only the clock, the kit and what handlers are written by.',
      severity: 'error',
      from: { path: '^examples/', pathNot: spec },
      to: { path: '^(apps|libs)/', pathNot: '^libs/(runtime|agent-kit|agent-handler)/src/index\\.ts$' },
    },
    {
      name: 'kit-is-publishable',
      comment:
        'The kit is a package of its own: beside the core and the pure part of the protocol only what it may ask for.',
      severity: 'error',
      from: { path: '^libs/(agent-kit/|protocol/src/pure\\.ts$)', pathNot: spec },
      to: {
        path: '^(apps|libs|examples|test|node_modules)/',
        pathNot: [
          '^libs/(agent-kit|expectations)/',
          '^libs/protocol/',
          '^node_modules/(@a2a-js/sdk|temporal-polyfill|@types/node)/',
        ],
        reachable: true,
      },
    },
    {
      name: 'libs-by-their-entry',
      comment: 'Across libs only src/index.ts, as #name.',
      severity: 'error',
      from: { path: '^libs/([^/]+)/' },
      to: { path: '^libs/', pathNot: ['^libs/$1/', '^libs/[^/]+/src/index\\.ts$', '^libs/protocol/src/pure\\.ts$'] },
    },
    {
      name: 'libs-by-their-entry-from-outside',
      comment: 'From outside the libs too: only src/index.ts, as #name.',
      severity: 'error',
      from: { pathNot: '^libs/' },
      to: { path: '^libs/', pathNot: '^libs/[^/]+/src/index\\.ts$' },
    },
    {
      name: 'tests-are-not-shipped',
      comment: 'Only specs and tests import #testing or a spec.',
      severity: 'error',
      from: { path: '^(apps|libs|examples)/', pathNot: [spec, '^libs/testing/', '(^|/)[a-z-]+\\.long\\.ts$'] },
      to: { path: [spec, '^libs/testing/', '^test/'] },
    },
    {
      name: 'no-cycles',
      comment: 'No cycles, save of types alone (they are gone at run time).',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only', 'type-import'] } },
    },
    {
      name: 'no-orphans',
      comment: 'A file that no process and no entry reaches is dead, even if a test still does.',
      severity: 'error',
      from: { path: entry },
      to: { path: '^(apps|libs|examples)/.*\\.ts$', pathNot: [spec, '^libs/testing/', ...entry], reachable: false },
    },
    {
      name: 'no-orphans-in-testing',
      comment: 'What is there for tests and no test reaches is dead.',
      severity: 'error',
      from: { path: [spec, ...entry] },
      to: { path: '^libs/testing/.*\\.ts$', pathNot: [spec, ...entry], reachable: false },
    },
    {
      name: 'resolvable',
      comment: 'Every import resolves, #names included.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'declared',
      comment: 'Packages are in package.json; what is shipped needs no devDependency.',
      severity: 'error',
      from: {
        path: '^(apps|libs|examples)/',
        pathNot: [spec, '^libs/testing/', '(^|/)(global-setup|global-teardown|[a-z-]+\\.long)\\.ts$'],
      },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|coverage|public)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      conditionNames: ['source', 'import', 'node', 'default', 'types'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
    },
  },
};
