// Of the port `WorkQueue` the waits that somebody outside ends, for every implementation.
import type { Json } from '#agent-handler';
import { until } from '#testing';
import type { ClaimedWork, WorkQueue } from '../../../apps/agent-host/src/work/work-queue.ts';

export interface ExternalWaitsSubject {
  readonly queue: WorkQueue;
  close(): Promise<void>;
}

const long = { owner: 'a', leaseMs: 600_000 };
const over = { owner: 'a', leaseMs: 0 };

export function describeExternalWaits(place: string, openQueue: () => Promise<ExternalWaitsSubject>): void {
  describe(`a wait kept in ${place} that somebody outside ends`, () => describeWaits(openQueue));
}

function describeWaits(openQueue: () => Promise<ExternalWaitsSubject>): void {
  let subject: ExternalWaitsSubject;
  let queue: WorkQueue;
  let count = 0;
  let application: string;
  const key = (taskId: string) => ({ application, user: 'alice', taskId });
  beforeAll(async () => {
    subject = await openQueue();
    ({ queue } = subject);
  });
  afterAll(() => subject.close());
  beforeEach(() => (application = `app-${(count += 1)}`));

  const waiting = { state: ['kept'], askedBy: 'a' };
  const open = (taskId: string, tokenHash: string, forMs?: number) =>
    queue.openWait(key(taskId), { name: 'payment', tokenHash, ...(forMs !== undefined && { forMs }) });
  const end = (tokenHash: string, result: Json = null) => queue.endWait(application, tokenHash, result);

  it('that is ended many times at once is ended by one, and repeated by the others', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [id, hash] = [`at once ${round}`, `hash-${round}`];
      await queue.openWait(key(id), { name: 'payment', tokenHash: hash });
      await queue.waitFor(key(id), hash, waiting);
      const answers = await Promise.all([1, 2, 3, 4].map((nth) => end(hash, nth)));
      expect(answers.sort()).toEqual(['ended', 'repeated', 'repeated', 'repeated']);
    }
  });

  it('is done once it is ended, and not before', async () => {
    await open('1', 'hash-1');
    expect(await queue.claim(application, long)).toBeUndefined();
    expect(await queue.waitFor(key('1'), 'hash-1', waiting)).toBe(true);
    expect(await queue.claim(application, long)).toBeUndefined();
    expect(await end('hash-1', { paid: true })).toBe('ended');
    expect(await queue.claim(application, long)).toEqual({
      ...{ key: key('1'), name: 'payment', ...waiting, stage: 'done', payload: undefined, result: { paid: true } },
      ...{ row: expect.any(String), epoch: 1, isVoid: false },
    });
  });

  it('is done at once where it is ended before its turn is', async () => {
    await open('1', 'hash-1');
    expect(await end('hash-1')).toBe('ended');
    expect(await queue.claim(application, long)).toBeUndefined();
    expect(await queue.waitFor(key('1'), 'hash-1', waiting)).toBe(true);
    expect(await queue.claim(application, long)).toMatchObject({ stage: 'done', result: null, state: ['kept'] });
  });

  it('is ended once, of many at once by one, and by who knows its token', async () => {
    await open('1', 'hash-1');
    await queue.waitFor(key('1'), 'hash-1', waiting);
    const ended = await Promise.all(['a', 'b', 'c'].map((result) => end('hash-1', result)));
    expect(ended.sort()).toEqual(['ended', 'repeated', 'repeated']);
    expect(await end('hash-2')).toBe('unknown');
    expect(await queue.endWait('else', 'hash-1', null)).toBe('unknown');
    await queue.remove((await queue.claim(application, long))!);
    expect(await end('hash-1')).toBe('repeated');
  });

  it('is over once it is void, before its turn is and after', async () => {
    await open('1', 'hash-1');
    expect(await queue.void(key('1'))).toBe('gone');
    expect(await end('hash-1')).toBe('over');
    expect(await queue.waitFor(key('1'), 'hash-1', waiting)).toBe(false);
    await open('1', 'hash-2');
    await queue.waitFor(key('1'), 'hash-2', waiting);
    expect(await queue.void(key('1'))).toBe('gone');
    expect(await end('hash-2')).toBe('over');
    await open('1', 'hash-3');
    expect([await end('hash-1'), await end('hash-3')]).toEqual(['over', 'ended']);
  });

  it('is late once its time is over, and then ended by nobody', async () => {
    await open('1', 'hash-1', 1);
    await open('2', 'hash-2', 600_000);
    let claimed: ClaimedWork | undefined;
    for (const id of ['1', '2']) await queue.waitFor(key(id), `hash-${id}`, waiting);
    await until(async () => {
      claimed = await queue.claim(application, over);
      return claimed !== undefined;
    }, 'the wait');
    expect(claimed).toMatchObject({ key: key('1'), stage: 'late', state: ['kept'], result: undefined });
    expect(await end('hash-1')).toBe('over');
    claimed = await queue.claim(application, long);
    expect(claimed).toMatchObject({ key: key('1'), stage: 'late', epoch: 2 });
    expect(await queue.passOn(claimed!, 0)).toBe(true);
    expect(await queue.claim(application, long)).toMatchObject({ key: key('1'), stage: 'late', epoch: 3 });
    expect(await queue.claim(application, long)).toBeUndefined();
    expect(await end('hash-2')).toBe('ended');
  });

  it('is not late while its turn goes on', async () => {
    await open('1', 'hash-1', 1);
    expect(await queue.claim(application, long)).toBeUndefined();
    expect(await end('hash-1')).toBe('ended');
  });

  it('is one of its task’s at a time', async () => {
    await open('1', 'hash-1');
    await expect(open('1', 'hash-2')).rejects.toThrow();
    expect(await end('hash-2')).toBe('unknown');
  });

  it('is unknown once it is let go of, which one that goes on never is', async () => {
    for (const id of ['1', '2']) await open(id, `hash-${id}`);
    await queue.void(key('1'));
    expect(await queue.letGo('else', 0, 10)).toBe(0);
    expect(await queue.letGo(application, 600_000, 10)).toBe(0);
    expect(await queue.letGo(application, 0, 10)).toBe(1);
    expect([await end('hash-1'), await end('hash-2')]).toEqual(['unknown', 'ended']);
  });
}
