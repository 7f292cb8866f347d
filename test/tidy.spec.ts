// Style that a linter does not know, as a test: it fails with the place and what to write instead.
import { join } from 'node:path';
import { findInCode } from './tidy/code-rules.ts';
import { describeFinding, type Finding, type RepositoryFile } from './tidy/finding.ts';
import { findInLayout } from './tidy/layout-rules.ts';
import { readRepository } from './tidy/repository.ts';
import { findInNames, findInText } from './tidy/text-rules.ts';

function findAll(files: readonly RepositoryFile[]): Finding[] {
  return [
    ...files.flatMap((file) => [...findInCode(file), ...findInText(file), ...findInNames(file)]),
    ...findInLayout(files),
  ];
}

/** The messages found in one planted file, the rules on the layout aside. */
function foundIn(path: string, text: string): string[] {
  const file = { path, text };
  return [...findInCode(file), ...findInText(file), ...findInNames(file)].map(describeFinding);
}

/** A word in pieces, so that this file is not found itself. */
const word = (...pieces: string[]): string => pieces.join('');

const inApp = 'apps/intake/src/observation.ts';

describe('the repository', () => {
  const files = readRepository(join(import.meta.dirname, '..'));

  it('is read: the code, its tests and what surrounds them, and nothing that is built', () => {
    const paths = files.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['package.json', '.ci/run', 'test/tidy.spec.ts']));
    expect(paths.filter((path) => /^(node_modules|dist|\.git)\//.test(path))).toEqual([]);
  });

  it('is tidy', () => {
    expect(findAll(files).map(describeFinding)).toEqual([]);
  });
});

describe('a planted violation is found', () => {
  it.each([
    ['the clock', 'const at = new Date();', 'clock.now()'],
    ['the clock, called', 'const at = Date();', 'clock.now()'],
    ['the clock in milliseconds', 'const at = Date.now();', 'clock.now()'],
    ['the clock by another road', `const at = globalThis.Date['now']();`, 'clock.now()'],
    ['the clock handed on', 'const clock = { now: Date.now };', 'clock.now()'],
    ['a timer', 'setTimeout(done, 5);', 'clock.sleep'],
    ['a timer by another road', 'globalThis.setInterval(done, 5);', 'clock.sleep'],
    ['a timer as a promise', `import { scheduler } from 'node:timers/promises';`, 'clock.sleep'],
    ['chance', 'const jitter = Math.random();', 'take it from #runtime'],
    ['a random id', `import { randomUUID } from 'node:crypto';`, 'take it from #runtime'],
    ['a random id by another road', 'const id = crypto.randomUUID();', 'take it from #runtime'],
    ['the environment', `const port = process.env['DUEWATCH_PORT'];`, 'Config of #runtime'],
    ['the environment, imported', `import { env } from 'node:process';`, 'Config of #runtime'],
    ['the environment, taken apart', 'const { env } = process;', 'Config of #runtime'],
    ['a topic', `const topic = 'duewatch.inbox.v1';`, 'Topic of #event-log'],
  ])('%s', (_, text, replacement) => {
    expect(foundIn(inApp, `\n${text}\n`)).toEqual([expect.stringMatching(new RegExp(`^${inApp}:2 .*${replacement}`))]);
  });

  it.each([
    [
      'a test that silences others',
      'apps/a/src/a.spec.ts',
      `it.${word('on', 'ly')}('works', () => {});`,
      'silences the rest',
    ],
    ['unfinished work', inApp, `// ${word('TO', 'DO')}: later`, 'file an issue'],
    ['a path of one machine', 'README.md', `cd /${word('wo', 'rk')}/main`, 'relative to the repository'],
    ['a registry', '.npmrc', `https://${word('regi', 'stry')}.example.org/`, 'npm settings'],
    ['a hidden leak', 'jest.config.mjs', `export default { ${word('force', 'Exit')}: true };`, 'afterAll'],
    ['a long file', inApp, 'export {};\n'.repeat(301), 'over 300 lines'],
    ['a folder that says nothing', 'libs/utils/src/index.ts', '', 'what it is about'],
    ['a file that says nothing', 'apps/intake/src/intake.helper.ts', '', 'what it is about'],
    ['a test by another name', 'apps/intake/src/intake.test.ts', '', 'name.spec.ts'],
    ['a test of another kind', 'apps/intake/src/intake.unit.spec.ts', '', 'name.spec.ts'],
    ['a spec in capitals', 'apps/intake/src/Intake.spec.ts', '', 'name.spec.ts'],
  ])('%s', (_, path, text, replacement) => {
    expect(foundIn(path, text)).toEqual([expect.stringContaining(replacement)]);
  });

  it('a folder that nobody can find, and one that is gone', () => {
    const found = findInLayout([
      { path: 'README.md', text: '| `apps/gone` | once |' },
      { path: 'package.json', text: '{"imports": {"#lost": {}}}' },
      { path: 'nest-cli.json', text: '{"projects": {"old": {"root": "apps/old"}}}' },
      { path: 'libs/new/src/index.ts', text: '' },
    ]);
    expect(found.map(({ path, message }) => `${path} ${message.split(':')[0] ?? ''}`)).toEqual([
      'README.md libs/new is not in the folder table',
      'README.md apps/gone is in the folder table but is gone',
      'nest-cli.json libs/new is not in "projects"',
      'nest-cli.json apps/old is in "projects" but is gone',
      'package.json libs/new is not in "imports"',
      'package.json libs/lost is in "imports" but is gone',
    ]);
  });
});

describe('nothing is found', () => {
  it.each([
    ['in a text that is about such a mark', `const placeholders = ['${word('TO', 'DO')}', 'tbd'];`],
    ['in a comment', '// never new Date(), Date.now or setTimeout here; process.env neither'],
    ['in a text', `const message = 'do not call setTimeout(…) or Math.random()';`],
    ['where an instant is read', 'const at = new Date(record.appendedAt).toISOString();'],
    [
      'where a name is another’s',
      'fake.setTimeout(); const options = { randomUUID: fake.randomUUID }; record.env.process;',
    ],
    ['where a comment asks for an exception', '// eslint-disable-next-line'],
  ])('%s', (_, text) => {
    expect(foundIn(inApp, text)).toEqual([]);
  });

  it.each([
    'libs/runtime/src/clock.ts',
    'apps/intake/src/intake.e2e.spec.ts',
    'libs/testing/src/wait.ts',
    'scripts/a.mjs',
  ])('on the clock in %s, where it belongs', (path) => {
    expect(foundIn(path, 'const at = Date.now();')).toEqual([]);
  });
});
