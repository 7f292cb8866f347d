// Every command as a person or a script meets it when something is wrong: the exit code, a sentence, and never a stack.
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { administratorKey, Watcher } from './watcher.ts';

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const main = new URL('../../dist/apps/cli/src/main.js', import.meta.url).pathname;
const noSettings = {
  ...{ DUEWATCH_KEY: '', DUEWATCH_URL: '', DUEWATCH_BOOTSTRAP_KEY: '', DUEWATCH_SEAL_KEY: '' },
  ...{ DUEWATCH_DATABASE_URL: '', DUEWATCH_KAFKA_BROKERS: '' },
};

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'duewatch-command-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function duewatch(line: string, environment: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const parameters = [main, ...line.split(' ').filter((word) => word !== '')];
  const options = { env: { ...process.env, ...noSettings, ...environment }, cwd: folder };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, parameters, options, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

function idOf(line: string): string {
  return (JSON.parse(line) as { readonly id: string }).id;
}

/** Of each line: how it ends, and what the last thing that is said must have in it. */
type Case = readonly [line: string, environment: Readonly<Record<string, string>>, code: number, said: RegExp];

async function expectEnd([line, environment, code, said]: Case): Promise<void> {
  const ended = await duewatch(line, environment);
  expect({ line, code: ended.code }).toEqual({ line, code });
  expect(ended.stdout + ended.stderr).toMatch(said);
  expect(ended.stderr).not.toMatch(/\n\s+at /);
}

const withoutService: readonly Case[] = [
  ['--help', {}, 0, /Exit codes: 0 .* 1 .* 2 .* 3 /],
  ['--version', {}, 0, /^\d+\.\d+\.\d+/],
  ['', {}, 2, /Usage/],
  ['watch', {}, 2, /unknown command 'watch'/],
  ['up --demos', {}, 2, /unknown option '--demos'/],
  ['up', { DUEWATCH_PORT: 'http' }, 2, /DUEWATCH_PORT must be a whole number/],
  ['up', { DUEWATCH_DATA_DIR: main }, 3, /the data directory .* cannot be used/],
  ['up', { DUEWATCH_KAFKA_BROKERS: '127.0.0.1:1' }, 2, /DUEWATCH_KAFKA_BROKERS is for apps that start alone/],
  ['up', { DUEWATCH_DATABASE_URL: 'postgres://a:hidden@127.0.0.1:1/b' }, 3, /^(?!.*hidden).*ECONNREFUSED/s],
  ['up', { DUEWATCH_PROT: '1', DUEWATCH_DATA_DIR: main }, 3, /DUEWATCH_PROT is no setting/],
  ['topics', {}, 2, /Usage: duewatch topics/],
  ['topics plan', {}, 2, /^DUEWATCH_KAFKA_BROKERS must say where Kafka is$/m],
  ['topics check --replication none', { DUEWATCH_KAFKA_BROKERS: '127.0.0.1:1' }, 2, /a whole number from 1 to 99/],
  ['topics apply', { DUEWATCH_KAFKA_BROKERS: '127.0.0.1:1' }, 3, /^Kafka cannot be reached at 127.0.0.1:1: .*REFUSED/m],
  ['topics apply', { DUEWATCH_KAFKA_BROKERS: '127.0.0.1' }, 2, /DUEWATCH_KAFKA_BROKERS must be host:port/],
  ['start', {}, 2, /missing required argument 'app'/],
  ['start watcher', {}, 2, /no app "watcher": it must be one of intake, facts, timekeeper/],
  ['start timekeeper', {}, 2, /DUEWATCH_KAFKA_BROKERS must say(?!.*DUEWATCH_DATABASE_URL)/s],
  ['start projector', {}, 2, /DUEWATCH_KAFKA_BROKERS must say.*DUEWATCH_DATABASE_URL must name/s],
  [
    'start intake',
    { DUEWATCH_KAFKA_BROKERS: '127.0.0.1:1' },
    2,
    /DUEWATCH_DATABASE_URL must .*DUEWATCH_SEAL_KEY must/s,
  ],
  ['start facts', { DUEWATCH_SEAL_KEY: 'hidden' }, 2, /^(?!.*hidden).*DUEWATCH_SEAL_KEY must be 32 bytes/s],
  ['fake-agent --slow soon', {}, 2, /it must be a whole number/],
  ['agents list', {}, 2, /DUEWATCH_KEY must hold a key/],
  ['agents probe', {}, 2, /missing required argument 'agentId'/],
  ['simulate', {}, 2, /missing required argument 'file'/],
  ['simulate none.json', {}, 2, /none\.json cannot be read/],
  ['simulate none.ndjson', {}, 2, /none\.ndjson cannot be read/],
  ['simulate bad.json', {}, 2, /bad\.json is not a vector: inputs\[0\] must have "at"/],
  ['keys', {}, 2, /Usage/],
  ['keys create', { DUEWATCH_KEY: 'k' }, 2, /required option '--scope/],
  ['keys list', {}, 2, /DUEWATCH_KEY must hold a key/],
  ['keys list', { DUEWATCH_KEY: 'k', DUEWATCH_URL: 'nonsense' }, 2, /must be at an http/],
  ['keys list', { DUEWATCH_KEY: 'k', DUEWATCH_URL: 'http://127.0.0.1:1' }, 3, /cannot be reached/],
  ['holds', {}, 2, /Usage/],
  ['quarantine', {}, 2, /Usage/],
  ['quarantine discard x', { DUEWATCH_KEY: 'k' }, 2, /required option '--reason/],
  ['pauses', {}, 2, /Usage/],
  ['pauses start x --for PT1H', { DUEWATCH_KEY: 'k' }, 2, /required option '--reason/],
  ['pauses start x --reason r', { DUEWATCH_KEY: 'k' }, 2, /either --until says when it ends, or --for/],
  ['pauses start x --reason r --for 4h', { DUEWATCH_KEY: 'k' }, 2, /--for must be an ISO 8601 duration/],
  ['pauses start x --reason r --for PT4H --subject-id y', { DUEWATCH_KEY: 'k' }, 2, /go together/],
  ['sinks', {}, 2, /Usage/],
  ['sinks set ops slack http://x --secret-file none', { DUEWATCH_KEY: 'k' }, 2, /none cannot be read/],
  ['dispatches', {}, 2, /Usage/],
  ['dispatches discard a e --lapse overdue', { DUEWATCH_KEY: 'k' }, 2, /required option '--reason/],
  ['projections', {}, 2, /Usage/],
  ['projections rebuild', { DUEWATCH_KAFKA_BROKERS: '127.0.0.1:1' }, 2, /DUEWATCH_DATABASE_URL must name/],
];

it('ends with the exit code that help names, saying why', async () => {
  await writeFile(join(folder, 'bad.json'), '{"inputs":[{"type":"tick"}]}');
  await Promise.all(withoutService.map(expectEnd));
});

it('makes nothing of a data directory that was mistyped', async () => {
  const mistyped = await mkdtemp(join(folder, 'mistyped-'));
  await expectEnd([
    'projections rebuild',
    { DUEWATCH_DATA_DIR: mistyped },
    1,
    /there is nothing in the data directory/,
  ]);
  expect(await readdir(mistyped)).toEqual([]);
});

describe('beside a watcher that runs', () => {
  let watcher: Watcher;
  let known: Readonly<Record<string, string>>;

  beforeAll(async () => {
    watcher = await Watcher.create();
    await watcher.start();
    known = { DUEWATCH_URL: watcher.url, DUEWATCH_KEY: administratorKey };
  });

  afterAll(() => watcher.remove());

  it('keys are made, listed and revoked; what cannot be done is said with its exit code', async () => {
    const made = await duewatch('keys create --tenant acme --scope facts,observe --source tower --json', known);
    const { keyId, key } = JSON.parse(made.stdout) as { readonly keyId: string; readonly key: string };
    const own = { ...known, DUEWATCH_KEY: key };
    const elsewhere = { ...known, DUEWATCH_URL: `${watcher.url}/web/main.js?` };
    const whileItIs: readonly Case[] = [
      ['keys list --tenant acme', known, 0, new RegExp(`^${keyId}  acme  tower  observe,facts  tower\n$`)],
      ['keys list', own, 2, /needs the scope admin/],
      ['keys revoke none', known, 1, /no key has this id/],
      ['keys create --scope all', known, 2, /scopes\[0\] must be one of/],
      ['keys list', elsewhere, 3, /is no Duewatch/],
    ];
    await Promise.all(whileItIs.map(expectEnd));
    await expectEnd([`keys revoke ${keyId}`, known, 0, /revoked/]);
    await expectEnd(['keys list', own, 2, /A valid API key is needed/]);
  });

  it('what is not held is not released', async () => {
    const inTurn: readonly Case[] = [
      ['holds list', known, 0, /^$/],
      ['holds list --all --json', known, 0, /^$/],
      ['holds release 0-1', known, 1, /no whole partition is held at 0-1/],
      ['holds release 0-1 --tenant acme', known, 1, /no tenant acme is held at 0-1/],
    ];
    await Promise.all(inTurn.map(expectEnd));
  });

  it('what is quarantined is listed, released and discarded', async () => {
    const fact = (factKey: string) => ({ factKey, observedAt: '2001-01-01T00:00:00Z' });
    await watcher.call('POST', '/v1/facts', [fact('one'), fact('\u001b[2Jother')]);
    const listed = await duewatch('quarantine list --json', known);
    const [later, earlier] = listed.stdout.split('\n').map((line) => (line === '' ? '' : idOf(line)));
    const inTurn: readonly Case[] = [
      ['quarantine list', known, 0, /^(?!.*\u001b)[\w-]{43} .* "\\u001b\[2Jother" .* 90 days .* quarantined\n.*"one"/s],
      [`quarantine discard ${later} --reason noise`, known, 0, new RegExp(`^discarded ${later}\n$`)],
      [`quarantine release ${later}`, known, 2, /settled otherwise before: it was discarded by "bootstrap"/],
      [`quarantine release ${earlier}`, known, 0, /^released .*: accepted, 0 satisfied\n$/],
      [`quarantine release ${earlier}`, known, 0, /^released .*: repeated, it was released by "bootstrap"/],
      ['quarantine release none', known, 1, /nothing of this id is quarantined/],
      ['quarantine list', known, 0, /^$/],
      ['quarantine list --state discarded', known, 0, /discarded by bootstrap at .*: "noise"\n$/],
      ['quarantine list --state lost', known, 2, /must be one of/],
    ];
    for (const each of inTurn) await expectEnd(each);
  });

  it('pauses are started, listed and ended, and what is not parked is not retried', async () => {
    const start = 'pauses start night --reason migration --for PT4H --agent booking --subject-type ship --subject-id S';
    const what = 'agent "booking", subject "ship" "S"  by "bootstrap": "migration"';
    const inTurn: readonly Case[] = [
      [start, known, 0, new RegExp(`^"night"  active  .* to .*  ${what}\n$`)],
      ['pauses start night --reason other --for PT4H', known, 2, /settled otherwise before: another pause has this id/],
      ['pauses start long --reason r --for P91D', known, 2, /until must be at most 90 days after from/],
      ['pauses list --state active', known, 0, /^"night"  active/],
      ['pauses list --state coming --json', known, 0, /^$/],
      ['pauses end night --json', known, 0, /^\{"pauseId":"night","state":"ended".*"endedBy":"bootstrap"\}\n$/],
      ['pauses end night', known, 0, /^"night"  ended .* ended .* by "bootstrap"/],
      ['pauses end none', known, 1, /there is no pause of this id/],
      ['pauses list --state over', known, 2, /must be one of/],
      ['dispatches list --state parked --json', known, 0, /^$/],
      ['dispatches retry booking e --lapse overdue', known, 1, /there is no such lapse/],
      ['dispatches discard booking e --lapse late --reason r', known, 2, /lapse must be one of overdue/],
    ];
    for (const each of inTurn) await expectEnd(each);
  });

  it('sinks are set, listed without what is secret, and removed', async () => {
    const [secretFile, headerFile] = [join(folder, 'sink-secret'), join(folder, 'sink-header')];
    await writeFile(secretFile, `whsec_${Buffer.alloc(32, 7).toString('base64')}\n`);
    await writeFile(headerFile, 'X-Key: let-me-in\n');
    const set = `sinks set ops slack https://chat.example/secret --secret-file ${secretFile} --header-file ${headerFile}`;
    const inTurn: readonly Case[] = [
      [
        `${set} --lapse overdue stalled --kind k`,
        known,
        0,
        /^ops  slack  https:\/\/chat.example  overdue\|stalled, kind "k"/,
      ],
      ['sinks list', known, 0, /^ops  slack  https:\/\/chat.example  .*  grouped by 30 s  signed\n$/],
      ['sinks set ops mail https://chat.example/', known, 2, /type must be one of alertmanager, slack, cloudevents/],
      ['sinks set ops slack https://x.example/ --group-by soon', known, 2, /groupBySeconds must be a whole number/],
      ['sinks remove ops', known, 0, /^$/],
      ['sinks remove ops', known, 1, /there is no sink of this id/],
      ['sinks list --json', known, 0, /^$/],
    ];
    for (const each of inTurn) await expectEnd(each);
  });

  it('its data directory is refused to another, and its port', async () => {
    const { port } = new URL(watcher.url);
    const same = { DUEWATCH_DATA_DIR: watcher.dataDirectory, DUEWATCH_PORT: '0' };
    const taken = { DUEWATCH_DATA_DIR: join(folder, 'other'), DUEWATCH_PORT: port };
    const refused: readonly Case[] = [
      ['up', same, 3, /another Duewatch is running on this data directory/],
      ['projections rebuild', same, 3, /another Duewatch is running on this data directory/],
      ['up', taken, 3, new RegExp(`port ${port} of 127\\.0\\.0\\.1 is taken`)],
    ];
    await Promise.all(refused.map(expectEnd));
    await watcher.call('GET', '/v1/overview');
  });
});
