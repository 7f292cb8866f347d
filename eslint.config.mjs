// Type-aware lint for the whole repository. What a tool beside it checks better (cycles, unused files, directions) is
// in .dependency-cruiser.cjs; what neither can see is in test/tidy.spec.ts.
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

const specs = ['**/*.spec.ts'];
const throughTheEntry = 'Import a lib by its entry (#event-log), never a file of it.';

export default defineConfig(
  { ignores: ['dist/', 'node_modules/', 'coverage/', '.duewatch/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'max-lines': ['error', 300],
      'no-constant-binary-expression': 'error',
      'no-console': 'error',
      'no-empty': 'error',
      'no-fallthrough': 'error',
      'no-self-compare': 'error',
      'no-unreachable': 'error',
      'no-unsafe-finally': 'error',
      'no-useless-catch': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
      'preserve-caught-error': 'error',
    },
  },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      'max-lines-per-function': ['error', 70],
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // A row is an object with an entity's fields; TypeORM asks for no constructor.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // Nest: modules are empty classes, and a port's method is async whether or not this one waits.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true, allowEmpty: true }],
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false } }],
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { regex: '^#(?!protocol/pure$)[^/]+/', message: throughTheEntry },
            { regex: '(^|/)libs/', message: throughTheEntry },
            { regex: '^\\.\\./.*/src/(?!.*\\.module\\.ts$)', message: throughTheEntry },
          ],
        },
      ],
    },
  },
  {
    files: ['libs/expectations/**/*.ts'],
    ignores: specs,
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '^(?!temporal-polyfill$|\\./|\\.\\./)',
              message: 'The core imports nothing but temporal-polyfill.',
            },
            { regex: '^\\.\\./.*/src/', message: throughTheEntry },
          ],
        },
      ],
    },
  },
  {
    // A test reads answers as they come (any), knows that what it has just put somewhere is there, and may be long.
    files: [...specs, 'libs/testing/**/*.ts', 'test/**/*.ts'],
    rules: {
      'max-lines-per-function': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    // They drive an app's parts without its module, one step at a time, or compare files with what its parts accept.
    files: [
      ...['test/{timekeeping,deployment,musts}/**/*.ts', 'test/agent-host/store-contracts/**/*.ts'],
      'test/simulation/product.ts',
    ],
    rules: { 'no-restricted-imports': 'off' },
  },
  {
    files: ['apps/{intake,facts,dispatcher,agent-host}/**/*.ts', 'libs/{protocol,writes,runtime}/**/*.ts'],
    ignores: specs,
    rules: {
      'no-restricted-globals': ['error', { name: 'fetch', message: 'Call strangers through #outbound.' }],
    },
  },
  {
    // The page's scripts run in a browser; scripts and benches print for a person.
    files: ['.ci/**', 'scripts/**', 'bench/**', 'apps/cli/**', 'examples/**'],
    rules: { 'no-console': 'off' },
  },
);
