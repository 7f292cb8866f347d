// Rules on any text and on what files and folders are called.
import { type Finding, lineAt, type RepositoryFile } from './finding.ts';

const code = /\.(ts|js|mjs|cjs|css|html|sql|sh)$/;
const lineLimit = 300;

/** Words in pieces, so that this file is not found by its own rules. */
const word = (...pieces: string[]): string => pieces.join('');

const textRules: readonly { readonly pattern: RegExp; readonly message: string }[] = [
  {
    pattern: new RegExp(
      `(//|/\\*|^\\s*\\*|#|<!--)[^\\n]*\\b(${word('FIX', 'ME')}|${word('TO', 'DO')}|${word('XX', 'X')})\\b`,
      'gm',
    ),
    message: 'is unfinished: do it, or file an issue and say there what is missing',
  },
  {
    pattern: new RegExp(`(^|[^\\w.-])/(${word('wo', 'rk')}|root|home|Users)/[\\w.-]|/tmp/${word('ba', 'sh')}`, 'gm'),
    message: 'names a path of one machine: write it relative to the repository',
  },
  {
    pattern: new RegExp(
      `${word('regi', 'stry')}\\.[\\w-]+\\.[a-z]{2,}|\\bregistry\\s*=\\s*http|"resolved":\\s*"http`,
      'g',
    ),
    message: 'names a package registry: leave that to the machine’s npm settings',
  },
  {
    pattern: new RegExp(`\\b${word('force', 'Exit')}\\b`, 'g'),
    message: 'hides what a test left running: close it in afterAll instead',
  },
];

const badNames: readonly { readonly name: RegExp; readonly message: string }[] = [
  {
    name: /^(commons?|utils?|utilit(y|ies)|helpers?|managers?|misc)$/,
    message: 'says nothing: name it by what it is about',
  },
  { name: /^__tests__$/, message: 'is not where tests live: put name.spec.ts beside what it tests' },
];

// A role between, as in problem.filter.spec.ts, but no other kind of test.
const specName = /^[a-z0-9-]+(\.(?!unit|integration|test)[a-z-]+)?(\.(int|e2e|browser|kafka|redis))?\.spec\.ts$/;

/** What the rules find in one file's text. */
export function findInText({ path, text }: RepositoryFile): Finding[] {
  const findings: Finding[] = textRules.flatMap(({ pattern, message }) =>
    [...text.matchAll(pattern)].map((match) => ({
      path,
      line: lineAt(text, match.index),
      message: `"${match[0].trim()}" ${message}`,
    })),
  );
  const lines = text.replace(/\n$/, '').split('\n').length;
  if (code.test(path) && lines > lineLimit) {
    findings.push({ path, line: lines, message: `is over ${lineLimit} lines: split it by what its parts are about` });
  }
  return findings;
}

/** What is wrong with the names along one path. */
export function findInNames({ path }: RepositoryFile): Finding[] {
  const parts = path.split('/');
  const file = parts.at(-1) ?? '';
  const findings: Finding[] = [];
  for (const part of [...parts.slice(0, -1), ...file.split('.').slice(0, -1)]) {
    const bad = badNames.find(({ name }) => name.test(part));
    if (bad !== undefined) findings.push({ path, message: `"${part}" ${bad.message}` });
  }
  if (
    /\.(test|tests|specs)\.[cm]?[jt]sx?$|\.spec\.(?!ts$)/.test(file) ||
    (file.endsWith('.spec.ts') && !specName.test(file))
  ) {
    findings.push({
      path,
      message:
        'call it name.spec.ts, name.int.spec.ts, name.e2e.spec.ts, name.browser.spec.ts, name.kafka.spec.ts or name.redis.spec.ts, in kebab-case',
    });
  }
  return findings;
}
