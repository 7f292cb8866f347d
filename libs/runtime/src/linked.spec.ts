import { getEventListeners } from 'node:events';
import { linked } from './linked.ts';

describe('a signal linked to another', () => {
  it('aborts with it, for the same reason', async () => {
    const source = new AbortController();
    const controller = new AbortController();
    await linked(source.signal, controller, async () => source.abort('over'));
    expect(controller.signal).toMatchObject({ aborted: true, reason: 'over' });
  });

  it('aborts where it has aborted before', async () => {
    const controller = new AbortController();
    await linked(AbortSignal.abort('over'), controller, async () => undefined);
    expect(controller.signal.reason).toBe('over');
  });

  it('leaves nothing behind, whatever becomes of the work', async () => {
    const { signal } = new AbortController();
    await linked(signal, new AbortController(), async () => undefined);
    await expect(linked(signal, new AbortController(), () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
