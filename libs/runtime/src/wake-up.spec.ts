import { systemClock } from './clock.ts';
import { WakeUp } from './wake-up.ts';

const signal = new AbortController().signal;

describe('a wake-up', () => {
  it('that came before the sleep ends it, once', async () => {
    const wakeUp = new WakeUp(systemClock);
    wakeUp.wake();
    wakeUp.wake();
    await wakeUp.sleep(60_000, signal);
    expect(wakeUp.isDue).toBe(false);
  });

  it('ends a sleep', async () => {
    const wakeUp = new WakeUp(systemClock);
    const sleeping = wakeUp.sleep(60_000, signal);
    wakeUp.wake();
    await sleeping;
  });

  it('that was taken does not', async () => {
    const wakeUp = new WakeUp(systemClock);
    wakeUp.wake();
    wakeUp.take();
    expect(wakeUp.isDue).toBe(false);
    await wakeUp.sleep(1, signal);
  });
});
