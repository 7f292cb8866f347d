// The watcher's own reminders, by what the handler of a served agent is told in the task that raised an expectation.
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Untold } from '#runtime';
import { until } from '#testing';
import { ways } from '../agent-host/served-agent.ts';
import { dueIn, hourMs, type Inject, minuteMs, ReminderRig } from './reminder-rig.ts';

const rig = new ReminderRig();
const { dispatch, service } = rig;
const soon = { aheadMs: 30 * minuteMs };

beforeAll(() => {
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  Logger.overrideLogger(false);
  return rig.open();
});
afterAll(() => rig.close());
beforeEach(() => rig.begin());
afterEach(() => rig.end());

describe('a task that expects something', () => {
  it.each(ways)('is told once that it is due soon, over %s of %s', async (...way) => {
    rig.reach(way);
    const taskId = await rig.running();
    dispatch.start(soon);
    const dueAt = dueIn(75 * minuteMs);
    await rig.raise(taskId, 'e1', { dueAt });
    await rig.untilEnded('told');
    expect(await rig.told(taskId)).toEqual([
      `Due soon: “e1 departs” (flight “e1”) is due at ${dueAt}, and had not come when this was sent. It is your expectation e1.`,
    ]);
    expect(service.seen.of('later')?.rendered).toContain('<reminder source="duewatch" tags="expectation, due-soon">');
    await rig.raise(taskId, 'e2');
    await rig.untilEnded('told', 2);
    expect(await rig.told(taskId)).toEqual([expect.stringContaining('e2 departs')]);
  });

  it('is told within the turn that runs, at its next step', async () => {
    const taskId = await service.holding();
    dispatch.start(soon);
    await rig.raise(taskId, 'e1');
    await rig.untilEnded('told');
    service.seen.stepsCount = 1;
    await until(() => service.seen.steps.length > 0, 'the step');
    expect(service.seen.steps[0]).toContain('e1 departs');
    service.seen.isOpen = true;
  });

  it('is not told before it is time, nor of what came, was withdrawn or moved away before', async () => {
    const taskId = await rig.running();
    const first = dispatch.start({});
    await rig.raise(taskId, 'came');
    await rig.report('came');
    await rig.raise(taskId, 'extended');
    await rig.raise(taskId, 'longer', { supersedes: 'extended', dueAt: dueIn(3 * hourMs) });
    await rig.raise(taskId, 'anchor', { dueAt: dueIn(5 * hourMs) });
    await rig.raise(taskId, 'anchored', { anchor: { expectationId: 'anchor', offset: 'PT4H' } });
    await rig.report('anchor');
    await rig.raise(taskId, 'stays');
    await until(async () => (await rig.rows()).length === 3, 'the rows');
    await dispatch.stop(first);
    expect(rig.ended('told')).toBe(0);
    dispatch.start(soon);
    await rig.untilEnded('told');
    expect(await rig.told(taskId)).toEqual([expect.stringContaining('stays departs')]);
    dispatch.start({ aheadMs: 150 * minuteMs });
    await rig.untilEnded('told', 2);
    expect(await rig.told(taskId)).toEqual([expect.stringContaining('longer departs')]);
  });

  it('is told nothing where its agent did not ask for it, or asks no more', async () => {
    const taskId = await rig.running();
    rig.wishes = new Map();
    const first = dispatch.start({});
    await rig.raise(taskId, 'before');
    await dispatch.story.untilDecided('expectationRecorded');
    await rig.untilFollowed();
    rig.wishes = new Map([['booking', { beforeDueMs: hourMs, lapsed: false }]]);
    await rig.raise(taskId, 'asked');
    await until(async () => (await rig.rows()).length === 1, 'the row');
    await dispatch.stop(first);
    rig.wishes = new Map([['booking', { beforeDueMs: undefined, lapsed: false }]]);
    dispatch.start(soon);
    await rig.untilQuiet();
    expect([rig.ended('told'), await rig.told(taskId)]).toEqual([0, []]);
  });

  it('is told after a pause of its agent’s dispatch, and not during it', async () => {
    const taskId = await rig.running();
    dispatch.targets.set('other', dispatch.targets.get('booking')!);
    rig.wishes.set('other', { beforeDueMs: hourMs, lapsed: false });
    await dispatch.story.declare('other');
    dispatch.start(soon);
    const pause = { pauseId: 'p', reason: 'maintenance', until: dueIn(hourMs), by: 'olga' };
    await dispatch.story.tell({ type: 'dispatchPauseRequested', ...pause, scope: { agentId: 'booking' } });
    await rig.raise(taskId, 'e1');
    await rig.raise(taskId, 'e2', {}, 'other');
    await rig.untilEnded('told');
    expect(await rig.told(taskId)).toEqual([expect.stringContaining('e2 departs')]);
    await dispatch.story.tell({ type: 'dispatchPauseEndRequested', pauseId: 'p', by: 'olga' });
    await rig.untilEnded('told', 2);
    expect(await rig.told(taskId)).toEqual([expect.stringContaining('e1 departs')]);
  });
});

describe('a lapse', () => {
  const past = { dueAt: '2026-01-01T00:00:00Z' };

  it('is told to the task that raised it, beside its own', async () => {
    const taskId = await rig.running();
    dispatch.start({});
    await rig.raise(taskId, 'e1', past);
    await rig.untilEnded('told');
    expect(await rig.told(taskId)).toEqual([
      expect.stringMatching(/^Overdue for flight e1: e1 departs, due at 2026-01-01/),
    ]);
    await until(() => service.seen.turns.some(({ text }) => text.startsWith('Overdue for')), 'the lapse task');
    await dispatch.story.untilDecided('dispatchAcknowledged');
    await until(
      async () => (await rig.rows()).every(({ about, state }) => about === 'due' && state === 'kept'),
      'its end',
    );
  });

  it('is told instead of what was due soon and has waited for a turn', async () => {
    const taskId = await rig.running();
    dispatch.start(soon);
    await rig.raise(taskId, 'e1');
    await rig.untilEnded('told');
    await rig.raise(taskId, 'e2', { after: ['e1'], subject: { type: 'flight', id: 'e1' }, dueAt: dueIn(5 * hourMs) });
    await rig.report('e2');
    await rig.untilEnded('told', 2);
    expect(await rig.told(taskId)).toEqual([expect.stringMatching(/^Skipped for flight e1: /)]);
  });

  it('is not told to a task that is over, of which the ledger says so', async () => {
    const taskId = await rig.running();
    await service.sent('end', { taskId });
    const state = 'TASK_STATE_COMPLETED';
    await dispatch.story.tell({ type: 'statusObserved', agentId: 'booking', taskId, contextId: 'c', state });
    const other = await rig.running();
    dispatch.start({});
    await rig.raise(taskId, 'e1', past);
    await rig.raise(other, 'e2', past);
    await rig.untilEnded('told');
    expect([rig.ended('told'), rig.ended('over'), rig.untold]).toEqual([1, 0, []]);
    expect((await rig.rows()).length).toBe(1);
  });

  it('nor to one of which only the agent says so: quietly, and of that task no more', async () => {
    const taskId = await rig.running();
    await service.sent('end', { taskId });
    dispatch.start({});
    await rig.raise(taskId, 'e1', past);
    await rig.untilEnded('over');
    expect([await rig.rows(), rig.untold]).toEqual([[], []]);
  });
});

describe('where it cannot be told', () => {
  it.each<[string, Untold['cause'], () => void, string | undefined]>([
    ['the card declares no reminders', 'unsupported', () => rig.reach(['JSONRPC', '1.0'], {}), undefined],
    ['the agent knows no such task', 'unknownTask', () => undefined, 'task-unknown'],
    ['the agent is not registered', 'unregistered', () => dispatch.targets.delete('booking'), undefined],
  ])('because %s, that is said once, and the lapse goes its own way', async (_, cause, arrange, other) => {
    const taskId = other ?? (await rig.running());
    arrange();
    dispatch.start({});
    await rig.raise(taskId, 'e1', { dueAt: '2026-01-01T00:00:00Z' });
    await rig.untilEnded('untold');
    expect(rig.untold).toEqual([{ cause, message: expect.any(String) }]);
    await rig.untilQuiet();
    await dispatch.story.untilDecided('dispatchAttempted');
  });

  it('for now, it is told once that can be, under the same id', async () => {
    let sentCount = 0;
    const taskId = await rig.running();
    // It is with the agent, and twice nobody has heard so.
    const inject: Inject = async (...call) => {
      const outcome = await rig.inject(...call);
      sentCount += 1;
      return sentCount < 3 ? { outcome: 'away', message: 'the answer was lost' } : outcome;
    };
    dispatch.start({ ...soon, inject });
    await rig.raise(taskId, 'e1');
    await rig.untilEnded('told');
    expect([sentCount, await rig.told(taskId)]).toEqual([3, [expect.stringContaining('e1 departs')]]);
  });

  it('until it is of no use any more, that is said', async () => {
    const taskId = await rig.running();
    const first = dispatch.start({ ...soon, inject: async () => ({ outcome: 'away', message: 'down' }) });
    await rig.raise(taskId, 'e1');
    await until(async () => (await rig.rows()).some(({ failuresCount }) => failuresCount > 1), 'two failures');
    await dispatch.stop(first);
    dispatch.start({ aheadMs: 80 * minuteMs });
    await rig.untilEnded('untold');
    expect(rig.untold).toEqual([{ cause: 'away', message: 'it did not take it while that was of use' }]);
    expect(await rig.told(taskId)).toEqual([]);
  });
});

describe('of two dispatchers', () => {
  it('the second tells what the first was telling as it ended, and the task has it once', async () => {
    const taskId = await rig.running();
    let sentCount = 0;
    const unheard: Inject = async (...call) => {
      await rig.inject(...call);
      sentCount += 1;
      return new Promise(() => undefined);
    };
    const first = dispatch.start({ ...soon, inject: unheard });
    await rig.raise(taskId, 'e1');
    await until(() => sentCount === 1, 'what nobody hears of');
    dispatch.crash(first);
    dispatch.start(soon);
    await rig.untilEnded('told');
    expect(await rig.told(taskId)).toEqual([expect.stringContaining('e1 departs')]);
  });

  it('at once, each reminder is with the task once', async () => {
    const taskId = await rig.running();
    dispatch.start(soon);
    dispatch.start(soon);
    for (const id of ['e1', 'e2']) await rig.raise(taskId, id);
    await until(async () => (await rig.rows()).length === 2, 'the rows');
    await rig.untilQuiet();
    expect((await rig.told(taskId))?.toSorted()).toEqual([
      expect.stringContaining('e1 departs'),
      expect.stringContaining('e2 departs'),
    ]);
  });

  it('the second, whose tables were lost, tells again what was told, and the task has it once', async () => {
    const taskId = await rig.running();
    const first = dispatch.start(soon);
    await rig.raise(taskId, 'e1');
    await rig.untilEnded('told');
    await dispatch.stop(first);
    await dispatch.loseTables();
    dispatch.start(soon);
    await rig.untilEnded('told', 2);
    expect(await rig.told(taskId)).toEqual([expect.stringContaining('e1 departs')]);
  });
});
