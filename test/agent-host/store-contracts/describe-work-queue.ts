// The contract of the port `WorkQueue`, for every implementation.
import type { Claim, ClaimedWork, WorkQueue } from '../../../apps/agent-host/src/work/work-queue.ts';
import type { Lease } from '../../../apps/agent-host/src/store/task-store.ts';

const long = { owner: 'a', leaseMs: 600_000 };
const over = { owner: 'a', leaseMs: 0 };
const work = { name: 'ship', payload: { id: 7 }, state: ['kept'], askedBy: 'a' };

export interface WorkQueueSubject {
  readonly queue: WorkQueue;
  close(): Promise<void>;
}

export function describeWorkQueue(place: string, open: () => Promise<WorkQueueSubject>): void {
  describe(`work queued in ${place}`, () => describeWork(open));
}

function describeWork(open: () => Promise<WorkQueueSubject>): void {
  let subject: WorkQueueSubject;
  let queue: WorkQueue;
  let count = 0;
  let application: string;
  let row = '';
  const key = (taskId: string) => ({ application, user: 'alice', taskId });
  const claim = async (of: string, lease: Lease): Promise<ClaimedWork | undefined> => {
    const claimed = await queue.claim(of, lease);
    if (claimed?.key.taskId === '1') ({ row } = claimed);
    return claimed;
  };
  /** Of the first task's work, as it was claimed last. */
  const the = (epoch: number): Claim => ({ key: key('1'), row, epoch });
  beforeAll(async () => {
    subject = await open();
    ({ queue } = subject);
  });
  afterAll(() => subject.close());
  beforeEach(() => (application = `app-${++count}`));

  it('is claimed by one, the oldest first', async () => {
    await queue.enqueue(key('1'), work);
    await queue.enqueue(key('2'), work);
    expect(await claim('else', long)).toBeUndefined();
    const first = await claim(application, long);
    expect(first).toEqual({
      key: key('1'),
      ...work,
      stage: 'waiting',
      row,
      epoch: 1,
      result: undefined,
      isVoid: false,
    });
    expect(await claim(application, { ...long, owner: 'b' })).toMatchObject({ key: key('2') });
    expect(await claim(application, long)).toBeUndefined();
  });

  it('is told as begun to who claims it after a process that has gone', async () => {
    await queue.enqueue(key('1'), work);
    await claim(application, over);
    expect(await claim(application, long)).toMatchObject({ stage: 'begun', epoch: 2 });
    expect(await queue.finish(the(1), 'late')).toBe(false);
    expect(await queue.remove(the(1))).toBe(false);
  });

  it('is without its payload once it is done, and gone once it is removed', async () => {
    await queue.enqueue(key('1'), work);
    await claim(application, over);
    expect(await queue.finish(the(1), { sent: true })).toBe(true);
    const again = await claim(application, over);
    expect(again).toMatchObject({ stage: 'done', result: { sent: true }, payload: undefined, epoch: 2 });
    expect(await queue.remove(the(2))).toBe(true);
    expect(await claim(application, long)).toBeUndefined();
  });

  it('is gone at once where it is void and nobody works on it', async () => {
    await queue.enqueue(key('1'), work);
    expect(await queue.void(key('1'))).toBe('gone');
    expect(await claim(application, long)).toBeUndefined();
    expect(await queue.void(key('1'))).toBe('gone');
  });

  it('is void to who claims it after whoever was told so has gone', async () => {
    await queue.enqueue(key('1'), work);
    await claim(application, long);
    await queue.void(key('1'));
    await queue.renew(application, over, [key('1')]);
    expect(await claim(application, long)).toMatchObject({ isVoid: true, stage: 'begun' });
  });

  it('that is passed on is claimed by nobody for so long, and keeps no other from being claimed', async () => {
    await queue.enqueue(key('1'), work);
    await queue.enqueue(key('2'), work);
    await claim(application, long);
    expect(await queue.passOn(the(1), 600_000)).toBe(true);
    expect(await queue.renew(application, long, [key('1')])).toEqual([]);
    expect(await claim(application, long)).toMatchObject({ key: key('2') });
    expect(await claim(application, long)).toBeUndefined();
    expect(await queue.void(key('1'))).toBe('gone');
  });

  it('that is passed on is as it was before: begun, or done, by who did so, and by nobody else', async () => {
    const pass = (epoch: number) => queue.passOn(the(epoch), 0);
    await queue.enqueue(key('1'), work);
    expect(await claim(application, long)).toMatchObject({ stage: 'waiting', epoch: 1 });
    expect(await pass(1)).toBe(true);
    expect(await claim(application, over)).toMatchObject({ ...work, stage: 'waiting', epoch: 2 });
    expect(await claim(application, long)).toMatchObject({ stage: 'begun', epoch: 3 });
    expect([await pass(2), await pass(3)]).toEqual([false, true]);
    expect(await claim(application, long)).toMatchObject({ stage: 'begun', epoch: 4 });
    await queue.finish(the(4), 'sent');
    expect(await pass(4)).toBe(true);
    expect(await claim(application, long)).toMatchObject({ stage: 'done', result: 'sent', epoch: 5 });
    await queue.void(key('1'));
    expect(await pass(5)).toBe(false);
  });

  it('is not finished, passed on or removed by who worked on what the task asked for before', async () => {
    await queue.enqueue(key('1'), work);
    await claim(application, long);
    const old = the(1);
    expect(await queue.remove(old)).toBe(true);
    await queue.enqueue(key('1'), work);
    await claim(application, long);
    expect(await Promise.all([queue.finish(old, 'late'), queue.passOn(old, 0), queue.remove(old)])).toEqual([
      ...[false, false, false],
    ]);
    expect(await queue.finish(the(1), 'sent')).toBe(true);
  });

  it('is worked on for longer only where its owner names it', async () => {
    for (const id of ['1', '2']) {
      await queue.enqueue(key(id), work);
      await claim(application, long);
    }
    await queue.renew(application, over, [key('1')]);
    expect(await claim(application, long)).toMatchObject({ key: key('1'), stage: 'begun', epoch: 2 });
    expect(await claim(application, long)).toBeUndefined();
  });

  it('is told void to who works on it, and is then finished by nobody', async () => {
    await queue.enqueue(key('1'), work);
    await claim(application, long);
    expect(await queue.renew(application, long, [key('1')])).toEqual([]);
    expect(await queue.void(key('1'))).toBe('begun');
    expect(await queue.renew(application, long, [key('1')])).toEqual([key('1')]);
    expect(await queue.finish(the(1), null)).toBe(false);
    expect(await queue.remove(the(1))).toBe(true);
    expect(await queue.void(key('1'))).toBe('gone');
  });
}
