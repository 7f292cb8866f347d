// Reminders at the host: what is rendered is what the handler received, what is history is what GetTask says.
import { Role } from '@a2a-js/sdk';
import { until } from '#testing';
import { RemindedService } from './reminded-service.ts';
import { type Way, ways } from './served-agent.ts';

const service = new RemindedService();
beforeAll(() => service.start());
afterAll(() => service.close());
beforeEach(() => service.forget());

describe.each<Way>([...ways])('over %s of %s', (...each) => {
  beforeAll(() => (service.way = each));
  afterAll(() => (service.way = ['JSONRPC', '1.0']));
  const invalid = each[0] === 'JSONRPC' ? -32602 : 400;

  it('a reminder is in the context of the next turn, and in no history', async () => {
    const { id } = await service.sent('later');
    const { code, result } = await service.injected(id, { body: 'rebase first', tags: [' a ', 'a'], source: 'ci' });
    expect(code).toBe(0);
    expect(result).toEqual({
      reminderId: expect.any(String),
      dedupedCount: 0,
      acceptedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    await service.sent('later on', { taskId: id });
    const { reminders, rendered, said } = service.seen.of('later on')!;
    expect(reminders).toEqual(['rebase first']);
    expect(rendered).toBe('REMINDER_ROLE_HINT_SYSTEM <reminder source="ci" tags="a">\nrebase first\n</reminder>');
    expect([said, JSON.stringify(await service.get(id))].join()).not.toContain('rebase');
    expect((await service.get(id)).history.filter(({ role }) => role === Role.ROLE_USER)).toHaveLength(2);
  });

  it.each<[string, unknown, string]>([
    ['no body', {}, 'reminder.body'],
    ['a blank body', { body: ' \n' }, 'reminder.body'],
    ['a long body', { body: 'x'.repeat(16_385) }, 'reminder.body'],
    ['an unknown enum value', { body: 'b', propagate: 'ALL' }, 'reminder.propagate'],
    ['a wrong type', { body: 'b', ttlTurns: '1' }, 'reminder.ttlTurns'],
    ['an unknown key', { body: 'b', priority: 1 }, 'reminder.priority'],
    ['none at all', undefined, 'reminder'],
  ])('it is refused with %s', async (_, reminder, field) => {
    const { id } = await service.sent('later');
    const { code, message } = await service.injected(id, reminder);
    expect([code, message.split(':')[0]]).toEqual([invalid, field]);
    expect(await service.turn(id, 'later refused')).toEqual([]);
  });

  it('it is refused of an unknown task, and of one that is over', async () => {
    const { code } = await service.injected('no-such-task', { body: 'b' });
    expect(code).toBe(each[0] === 'JSONRPC' ? -32001 : 404);
    const { id } = await service.sent('later');
    await service.sent('done', { taskId: id });
    const over = await service.injected(id, { body: 'b' });
    expect([over.code, over.message]).toEqual([invalid, expect.stringContaining('ended')]);
  });

  it('what a message carries is an inject, taken off the message', async () => {
    const reminder = { id: 'r1', body: 'carried word', propagate: 'REMINDER_PROPAGATION_NONE' };
    const task = await service.sent('later carrying', { metadata: { harn: { reminder, other: 1 }, mine: 2 } });
    const { reminders, said } = service.seen.of('later carrying')!;
    expect(reminders).toEqual(['carried word']);
    expect(said).not.toContain('carried word');
    expect((await service.get(task.id)).history[0]?.metadata).toEqual({ harn: { other: 1 }, mine: 2 });
    await service.sent('later again', { taskId: task.id, metadata: { harn: { reminder: { body: 'second word' } } } });
    expect(service.told('later again')).toEqual(['carried word', 'second word']);
    await expect(service.sent('later', { metadata: { harn: { reminder: { body: '' } } } })).rejects.toThrow('body');
  });
});

describe('a reminder', () => {
  it('comes once under one id, and not with other content', async () => {
    const { id } = await service.sent('later');
    const first = await service.injected(id, { id: 'mine', body: 'b' });
    expect(await service.injected(id, { id: 'mine', body: 'b' })).toEqual(first);
    expect(await service.injected(id, { id: 'mine', body: 'other' })).toMatchObject({ code: -32602 });
    expect(await service.turn(id, 'later once')).toEqual(['b']);
  });

  it('is displaced by a newer one with its dedupe key', async () => {
    const { id } = await service.sent('later');
    await service.injected(id, { body: 'old', dedupeKey: 'k' });
    expect((await service.injected(id, { body: 'new', dedupeKey: 'k' })).result.dedupedCount).toBe(1);
    expect(await service.turn(id, 'later deduped')).toEqual(['new']);
  });

  it('lives for as many turns as it says', async () => {
    const { id } = await service.sent('later');
    await service.injected(id, { body: 'two', ttlTurns: 2 });
    await service.injected(id, { body: 'for ever' });
    expect(await service.turn(id, 'later 1')).toEqual(['two', 'for ever']);
    expect(await service.turn(id, 'later 2')).toEqual(['two', 'for ever']);
    expect(await service.turn(id, 'later 3')).toEqual(['for ever']);
  });

  it('waits for the turn that it is marked for, neither told nor counted', async () => {
    const { id } = await service.sent('later');
    await service.injected(id, { body: 'third', firedAtTurn: 3, ttlTurns: 1 });
    expect(await service.turn(id, 'later 2')).toEqual([]);
    expect(await service.turn(id, 'later 3')).toEqual(['third']);
    expect(await service.turn(id, 'later 4')).toEqual([]);
  });

  it('of a session is for every task of the context, until the last has ended; of a task for it alone', async () => {
    const first = await service.sent('later');
    const { contextId } = first;
    await service.injected(first.id, { body: 'session' });
    await service.injected(first.id, { body: 'task', propagate: 'REMINDER_PROPAGATION_NONE' });
    const second = await service.sent('later second', { contextId });
    expect(service.told('later second')).toEqual(['session']);
    await service.sent('a Message', { contextId });
    expect(service.told('a Message')).toEqual(['session']);
    await service.sent('end first', { taskId: first.id });
    expect(service.told('end first')).toEqual(['session', 'task']);
    expect(await service.turn(second.id, 'end second')).toEqual(['session']);
    await service.sent('later third', { contextId });
    expect(service.told('later third')).toEqual([]);
    await service.sent('later elsewhere');
    expect(service.told('later elsewhere')).toEqual([]);
  });

  it('of a session counts the turns that end in a Message, too', async () => {
    const { id, contextId } = await service.sent('later');
    await service.injected(id, { body: 'once', ttlTurns: 1 });
    await service.sent('a Message', { contextId });
    expect(service.told('a Message')).toEqual(['once']);
    expect(await service.turn(id, 'later')).toEqual([]);
  });

  it('survives a compaction only where it is to be preserved', async () => {
    const { id } = await service.sent('later');
    await service.injected(id, { body: 'kept', preserveOnCompact: true });
    await service.injected(id, { body: 'lost' });
    expect(await service.turn(id, 'compact')).toEqual(['kept', 'lost']);
    expect(service.told('compact after')).toEqual(['kept']);
    expect(await service.turn(id, 'later')).toEqual(['kept']);
  });

  it('is told to a question’s next turn, and to the one that goes on after queued work', async () => {
    const asking = await service.sent('ask');
    await service.injected(asking.id, { body: 'while it asks' });
    expect(await service.turn(asking.id, 'the reply')).toEqual(['while it asks']);
    const { id } = await service.sent('later');
    await service.injected(id, { body: 'past the work' });
    await service.sent('wait for it', { taskId: id });
    await until(() => service.told('resumed') !== undefined, 'the resume');
    expect(service.told('resumed')).toEqual(['past the work']);
  });
});

describe('a turn that runs', () => {
  async function step(): Promise<string | undefined> {
    const before = service.seen.steps.length;
    service.seen.stepsCount += 1;
    await until(() => service.seen.steps.length > before, 'the step');
    return service.seen.steps.at(-1);
  }

  it('is told at its next step of one that waits for the step, and in the next turn of one that waits for that', async () => {
    const id = await service.holding();
    await service.injected(id, { body: 'step', mode: 'finish_step' });
    await service.injected(id, { body: 'turn', mode: 'wait_for_completion' });
    expect(service.seen.steps).toEqual([]);
    expect(await step()).toBe('step of step');
    expect(await step()).toBe(' of step');
    service.seen.isOpen = true;
    await until(async () => (await service.get(id)).status?.message !== undefined, 'the question');
    expect(await service.turn(id, 'later')).toEqual(['step', 'turn']);
  });

  it('is told alike where there is a Task only since it has begun', async () => {
    const { id: first, contextId } = await service.sent('later');
    await service.injected(first, { body: 'before' });
    const answered = service.sent('hold blocking', { contextId });
    await until(() => service.told('hold blocking') !== undefined, 'the turn');
    const { taskId } = service.seen.of('hold blocking')!;
    await until(async () => (await service.get(taskId).catch(() => undefined)) !== undefined, 'the Task');
    await service.injected(taskId, { body: 'now', mode: 'interrupt_immediate' });
    await until(() => service.seen.steps.length === 2, 'the interruption');
    expect(service.seen.steps).toEqual(['interrupted', 'now of before,now']);
    service.seen.isOpen = true;
    expect((await answered).id).toBe(taskId);
  });

  it('is told alike where it is answered with a Message, and counts for no more than it was told', async () => {
    const { id, contextId } = await service.sent('later');
    const answered = service.sent('pause', { contextId });
    await until(() => service.told('pause') !== undefined, 'the turn');
    await service.injected(id, { body: 'turn', mode: 'wait_for_completion', ttlTurns: 1 });
    await service.injected(id, { body: 'step', ttlTurns: 1 });
    await service.injected(id, { body: 'of the other', propagate: 'REMINDER_PROPAGATION_NONE' });
    expect(await step()).toBe('step of step');
    await service.injected(id, { body: 'now', mode: 'interrupt_immediate' });
    await until(() => service.seen.steps.length === 3, 'the interruption');
    expect(service.seen.steps.slice(1)).toEqual(['interrupted', 'now of step,now']);
    service.seen.isOpen = true;
    expect((await answered).id).toBe('');
    expect(await service.turn(id, 'later')).toEqual(['turn', 'of the other', 'now']);
  });

  it('is interrupted by one that says so, in whichever task of the context it is', async () => {
    const id = await service.holding();
    await service.injected(id, { body: 'now', mode: 'interrupt_immediate' });
    await until(() => service.seen.steps.length === 2, 'the interruption');
    expect(service.seen.steps).toEqual(['interrupted', 'now of now']);
    const { id: other } = await service.sent('later', { contextId: (await service.get(id)).contextId });
    await service.injected(other, { body: 'too', mode: 'interrupt_immediate' });
    await until(() => service.seen.steps.length === 4, 'the interruption');
    expect(service.seen.steps.slice(2)).toEqual(['interrupted', 'too of now,too']);
    service.seen.isOpen = true;
  });
});
