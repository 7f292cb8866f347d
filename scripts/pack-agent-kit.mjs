// Makes the agent kit a package of its own: all that its entry reaches of dist/, with types, and a package.json that asks for
// nothing else. Usage: pack-agent-kit.mjs FOLDER; then `npm publish FOLDER`.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

const folder = process.argv[2];
if (folder === undefined) {
  console.error('Usage: pack-agent-kit.mjs FOLDER');
  process.exit(2);
}
const root = join(import.meta.dirname, '..');
const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const entry = 'libs/agent-kit/src/index';
const peers = ['@a2a-js/sdk'];
const imports = {};
const dependencies = {};
const peerDependencies = {};

rmSync(folder, { recursive: true, force: true });
const reached = new Set();
reach(join(root, 'dist', `${entry}.js`));
for (const file of reached) write(relative(join(root, 'dist'), file), readFileSync(file));
writeTypes();
for (const file of ['LICENSE']) copyFileSync(join(root, file), join(folder, file));
copyFileSync(join(root, 'docs/first-expectation.md'), join(folder, 'README.md'));
write('package.json', `${JSON.stringify(manifest(), null, 2)}\n`);

/** Follows what a file imports. What is neither its own nor among the packages that it may ask for ends the script. */
function reach(file) {
  if (reached.has(file)) return;
  reached.add(file);
  for (const { fileName: name } of ts.preProcessFile(readFileSync(file, 'utf8')).importedFiles) {
    if (name.startsWith('.')) reach(resolve(dirname(file), name));
    else if (name.startsWith('#')) {
      const target = own.imports[name].default.replace('./dist/', './');
      imports[name] = { types: target.replace(/\.js$/, '.d.ts'), default: target };
      reach(join(root, 'dist', target));
    } else if (!name.startsWith('node:')) ask(name);
  }
}

function ask(name) {
  const [first, second] = name.split('/');
  const asked = first.startsWith('@') ? `${first}/${second}` : first;
  if (peers.includes(asked)) peerDependencies[asked] = `^${own.dependencies[asked]}`;
  else dependencies[asked] = own.dependencies[asked];
}

function writeTypes() {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.base.json'), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  // Types are checked where the repository's are.
  const emit = {
    noEmit: false,
    noCheck: true,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: root,
    outDir: resolve(folder),
  };
  const program = ts.createProgram([join(root, `${entry}.ts`)], { ...options, ...emit });
  const wrong = [...program.emit().diagnostics, ...ts.getPreEmitDiagnostics(program)];
  if (wrong.length > 0)
    throw new Error(
      ts.formatDiagnostics(wrong, {
        getCurrentDirectory: () => root,
        getCanonicalFileName: (name) => name,
        getNewLine: () => '\n',
      }),
    );
}

function manifest() {
  return {
    name: '@duewatch/agent-kit',
    version: own.version,
    description: 'For people who write A2A agents: raising expectations and answering for their lapses.',
    license: own.license,
    type: 'module',
    engines: own.engines,
    exports: { '.': { types: `./${entry}.d.ts`, default: `./${entry}.js` } },
    imports,
    dependencies,
    peerDependencies,
  };
}

function write(path, content) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}
