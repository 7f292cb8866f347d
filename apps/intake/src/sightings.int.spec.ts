// What the watcher has seen by itself, told to the log.
import { Module } from '@nestjs/common';
import { LogUnavailableError, partitionOf } from '#event-log';
import { behindGateway, type EdgeApp, ScriptedAgent, startEdgeApp, toldOf, until } from '#testing';
import { IntakeModule } from './intake.module.ts';
import { SightingsModule } from './sightings.module.ts';
import { Sightings } from './sightings.ts';

const URI = 'https://rsaxb.com/a2a/expectations/v1';
const given: { sightings?: Sightings } = {};

@Module({ imports: [IntakeModule, SightingsModule] })
class ProbeModule {
  constructor(sightings: Sightings) {
    given.sightings = sightings;
  }
}

describe('what is seen', () => {
  let edge: EdgeApp;
  let agent: ScriptedAgent;
  let sightings: Sightings;

  beforeAll(async () => {
    [edge, agent] = await Promise.all([startEdgeApp([ProbeModule]), ScriptedAgent.start()]);
    await behindGateway(edge, agent, 'booking');
    sightings = given.sightings!;
  });

  afterAll(() => Promise.all([edge.close(), agent.stop()]));

  const status = { state: 'TASK_STATE_WORKING' };
  const task = (id: string, over: object = {}) => ({ task: { id, contextId: 'c', status, ...over } });
  const facts = (factKey: string, observedAt = new Date().toISOString()) => ({
    metadata: { [URI]: { facts: [{ factKey, observedAt }] } },
  });
  const toldOfTask = async (taskId: string) =>
    (await toldOf(edge, 'booking')).filter((input) => input['taskId'] === taskId);
  const isTold = async (text: string) => {
    const records = await edge.log.read('inbox', partitionOf('acme', 2), { from: 0, limit: 10_000 });
    return records.some(({ value }) => Buffer.from(value).includes(text));
  };

  it('is in the log when it is told, in its order, behind what was concluded from it', async () => {
    const first = [{ type: 'answerObserved' as const, agentId: 'booking', taskId: 't1', reporter: 'gateway' }];
    const artifact = { artifactId: 'a', parts: [{ text: 'secret' }], metadata: { [URI]: { expectations: [] } } };
    const seen = [task('t1', { artifacts: [artifact] }), { statusUpdate: { taskId: 't1', contextId: 'c', status } }];
    expect(await sightings.tell('acme', 'booking', seen, { first })).toBe('told');
    expect((await toldOfTask('t1')).map(({ type }) => type)).toEqual([
      ...['answerObserved', 'statusObserved', 'artifactObserved', 'statusObserved'],
    ]);
    expect(await isTold('secret')).toBe(false);
  });

  it('says whether it was seen without the extension activated (§7)', async () => {
    await sightings.tell('acme', 'booking', [task('t2')], { activated: false });
    await sightings.tell('acme', 'booking', [task('t2')]);
    const [without, withIt] = await toldOfTask('t2');
    expect(without).toMatchObject({ activated: false });
    expect(withIt).not.toHaveProperty('activated');
  });

  it('is nothing where it cannot be read, and no reason to leave out the rest', async () => {
    expect(await sightings.tell('acme', 'booking', [])).toBe('nothing');
    expect(await sightings.tell('acme', 'booking', [{ task: 7 }, { task: { id: 't3' } }])).toBe('nothing');
    expect(await sightings.tell('acme', 'booking', [{ task: null }, task('t3')])).toBe('told');
    expect(await toldOfTask('t3')).toHaveLength(1);
  });

  it('counts a client’s words only where it is known who the client is', async () => {
    const message = (factKey: string, role?: string) => ({
      message: { messageId: 'm', ...(role !== undefined && { role }), parts: [], ...facts(factKey) },
    });
    expect(await sightings.tell('acme', 'booking', [message('w1', 'ROLE_USER'), message('w2', 'user')])).toBe(
      'nothing',
    );
    expect(await sightings.tell('acme', 'booking', [message('w3'), message('w4', 'other')])).toBe('nothing');
    const client = { name: 'carrier', sources: [] };
    expect(await sightings.tell('acme', 'booking', [message('w5', 'ROLE_USER')], { client })).toBe('told');
    expect(await sightings.tell('acme', 'booking', [message('w6', 'ROLE_AGENT')])).toBe('told');
    expect(await Promise.all(['w1', 'w2', 'w3', 'w4', 'w5', 'w6'].map(isTold))).toEqual([
      ...[false, false, false, false, true, true],
    ]);
  });

  it('is kept out of the log, for a person to look at, where nobody would believe its instant', async () => {
    const artifact = { artifactId: 'a', parts: [], ...facts('implausible', '2099-01-01T00:00:00Z') };
    await sightings.tell('acme', 'booking', [task('t4', { artifacts: [artifact] })]);
    const rows: unknown[] = await edge.database.query('SELECT fact FROM duewatch_edge.quarantined_fact');
    expect(JSON.stringify(rows)).toContain('implausible');
    expect(await isTold('implausible')).toBe(false);
  });

  it('of another tenant’s agent stays that tenant’s', async () => {
    await sightings.tell('globex', 'booking', [task('t5')]);
    expect(await toldOfTask('t5')).toEqual([]);
    expect(await toldOf(edge, 'booking', 'globex')).toHaveLength(1);
  });

  it('is not told while the log is away, or while too much of the tenant is not decided', async () => {
    const { append } = edge.log;
    edge.log.append = async () => Promise.reject(new LogUnavailableError('the log is away'));
    await expect(sightings.tell('acme', 'booking', [task('t6')])).rejects.toThrow(LogUnavailableError);
    edge.log.append = append;
    const resume = edge.decider.pause();
    const flood = async (): Promise<void> => {
      for (let count = 0; count < 1_010; count += 1) await sightings.tell('acme', 'booking', [task(`f${count}`)]);
    };
    await expect(flood()).rejects.toMatchObject({ type: 'tenant-overloaded' });
    resume();
    await until(async () => (await sightings.tell('acme', 'booking', [task('t7')]).catch(() => 'nothing')) === 'told');
  });
});
