import { FairTurns } from './fair-turns.ts';

describe('turns of tenants', () => {
  it('rotate, however much one of them waits for', async () => {
    const turns = new FairTurns();
    const order: string[] = [];
    const work = async (tenant: string, slices: number): Promise<void> => {
      for (let slice = 0; slice < slices; slice += 1) {
        await turns.next(tenant);
        order.push(tenant);
      }
    };
    await Promise.all([work('a', 6), work('a', 6), work('a', 6), work('b', 3), work('c', 1)]);
    expect(order.slice(0, 7).join('')).toBe('abcabab');
    expect(order).toHaveLength(22);
  });

  it('are one in a turn of the event loop', async () => {
    const turns = new FairTurns();
    const inOneTurn: number[] = [];
    let count = 0;
    let isOver = false;
    const look = (): void => {
      inOneTurn.push(count);
      count = 0;
      if (!isOver) setImmediate(look);
    };
    setImmediate(look);
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        await turns.next('a');
        count += 1;
      }),
    );
    isOver = true;
    expect(Math.max(...inOneTurn)).toBe(1);
  });

  it('come again after nobody waited', async () => {
    const turns = new FairTurns();
    await turns.next('a');
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    await turns.next('a');
  });
});
