// Rules on code, read from its syntax tree: what stands in a comment or a text is not code and is never found here.
import ts from 'typescript';
import { type Finding, lineAt, type RepositoryFile } from './finding.ts';

interface CodeRule {
  /** The replacement, for whoever reads the failure. */
  readonly message: string;
  /** Where it is allowed, each with a reason that a reviewer has accepted. */
  readonly allowedIn: readonly RegExp[];
  readonly matches: (node: ts.Node) => boolean;
}

const runtime = /^libs\/runtime\//;
const tests = /\.spec\.ts$|^libs\/testing\/|^test\//;
const tools = /^(\.ci|scripts|bench)\/|^[^/]*\.config\.mjs$/;
/** The page's own scripts: a browser has no ports. */
const page = /^apps\/web\/public\//;

/** The kit is a package of its own, and these are its ports. */
const kitPorts = /^libs\/agent-kit\/src\/(clock|chance)\.ts$/;

const clocks = [runtime, tests, tools, page, kitPorts];

const codeRules: readonly CodeRule[] = [
  {
    message: 'reads the machine clock: take the Clock of #runtime and call clock.now()',
    allowedIn: clocks,
    matches: (node) =>
      isMember(node, 'Date', 'now') ||
      (ts.isNewExpression(node) && isNamed(node.expression, 'Date') && (node.arguments?.length ?? 0) === 0) ||
      (ts.isCallExpression(node) && isNamed(node.expression, 'Date')),
  },
  {
    message: 'waits by the machine clock: take the Clock of #runtime and await clock.sleep(durationMs, signal)',
    allowedIn: clocks,
    matches: (node) =>
      isUseOf(node, ['setTimeout', 'setInterval']) || importsFrom(node, /^(node:)?timers(\/promises)?$/),
  },
  {
    message: 'draws chance nobody can repeat: take it from #runtime',
    allowedIn: clocks,
    matches: (node) => isMember(node, 'Math', 'random') || isUseOf(node, ['randomUUID']),
  },
  {
    message: 'reads the environment: take the Config of #runtime, where it is validated at start',
    allowedIn: [runtime, tests, tools],
    matches: (node) => isMember(node, 'process', 'env') || takesEnvironment(node),
  },
  {
    message: 'names a topic: take the Topic of #event-log; what it is called in a store is the store’s own',
    allowedIn: [/^libs\/event-log/, tests],
    matches: (node) => ts.isStringLiteralLike(node) && /^duewatch[._-](inbox|ledger|snapshots?)\b/.test(node.text),
  },
  {
    message: 'runs one test and silences the rest: remove it before you commit',
    allowedIn: [],
    matches: (node) =>
      ['it', 'test', 'describe'].some((name) => isMember(node, name, 'only')) ||
      (ts.isCallExpression(node) && ['fit', 'fdescribe'].some((name) => isNamed(node.expression, name))),
  },
];

/** What the rules find in one file of code; nothing in any other file. */
export function findInCode({ path, text }: RepositoryFile): Finding[] {
  if (!/\.(ts|js|mjs|cjs)$/.test(path)) return [];
  const rules = codeRules.filter(({ allowedIn }) => !allowedIn.some((place) => place.test(path)));
  const findings: Finding[] = [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    for (const rule of rules) {
      if (rule.matches(node)) findings.push({ path, line: lineAt(text, node.getStart(source)), message: rule.message });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return findings;
}

function isNamed(node: ts.Node, name: string): boolean {
  return ts.isIdentifier(node) && node.text === name;
}

/** `object.member`, also behind `globalThis.` and written `object['member']`. */
function isMember(node: ts.Node, object: string, member: string): boolean {
  if (ts.isPropertyAccessExpression(node)) {
    return node.name.text === member && isObject(node.expression, object);
  }
  return (
    ts.isElementAccessExpression(node) &&
    ts.isStringLiteralLike(node.argumentExpression) &&
    node.argumentExpression.text === member &&
    isObject(node.expression, object)
  );
}

function isObject(node: ts.Node, name: string): boolean {
  return isNamed(node, name) || (ts.isPropertyAccessExpression(node) && node.name.text === name);
}

/** The name called, imported, or handed on; a property or a type of that name is something else. */
function isUseOf(node: ts.Node, names: readonly string[]): boolean {
  if (!ts.isIdentifier(node) || !names.includes(node.text)) return false;
  if (ts.isPropertyAccessExpression(node.parent) && node.parent.name === node) {
    return ['globalThis', 'window', 'crypto'].some((holder) => isNamed(node.parent.getChildAt(0), holder));
  }
  return (
    !ts.isPropertyAssignment(node.parent) &&
    !ts.isPropertySignature(node.parent) &&
    !ts.isMethodDeclaration(node.parent)
  );
}

function importsFrom(node: ts.Node, module: RegExp): boolean {
  return (
    ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier) && module.test(node.moduleSpecifier.text)
  );
}

/** `import { env } from 'node:process'` and `const { env } = process`. */
function takesEnvironment(node: ts.Node): boolean {
  if (ts.isImportSpecifier(node)) {
    return (
      (node.propertyName ?? node.name).text === 'env' && importsFrom(node.parent.parent.parent, /^(node:)?process$/)
    );
  }
  return (
    ts.isBindingElement(node) &&
    isNamed(node.propertyName ?? node.name, 'env') &&
    ts.isVariableDeclaration(node.parent.parent) &&
    node.parent.parent.initializer !== undefined &&
    isNamed(node.parent.parent.initializer, 'process')
  );
}
