// One tenant's work waits for its own, in order and within bounds; another's never does.
import { TenantTurns } from './tenant-turns.ts';

/** Work that ends when the test says so. */
class Held {
  readonly begun: string[] = [];
  private readonly ends = new Map<string, () => void>();

  work(name: string): () => Promise<string> {
    return () => {
      this.begun.push(name);
      return new Promise((resolve) => this.ends.set(name, () => resolve(name)));
    };
  }

  async end(name: string): Promise<void> {
    this.ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('turns of a tenant', () => {
  it('are so many at once, then one after the other in the order asked', async () => {
    const turns = new TenantTurns({ running: 2, waiting: 9 });
    const held = new Held();
    const done = ['a', 'b', 'c', 'd'].map((name) => turns.within('acme', held.work(name)));
    expect(held.begun).toEqual(['a', 'b']);
    await held.end('b');
    expect(held.begun).toEqual(['a', 'b', 'c']);
    for (const name of ['a', 'c', 'd']) await held.end(name);
    expect(await Promise.all(done)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('are not waited for by another tenant', async () => {
    const turns = new TenantTurns({ running: 1, waiting: 9 });
    const held = new Held();
    const own = turns.within('acme', held.work('a'));
    expect(await turns.within('globex', async () => 'at once')).toBe('at once');
    await held.end('a');
    await own;
  });

  it('are refused where too many wait, and given again once they have ended, also by a fault', async () => {
    const turns = new TenantTurns({ running: 1, waiting: 1 });
    const held = new Held();
    const first = turns.within('acme', held.work('a'));
    const second = expect(turns.within('acme', async () => Promise.reject(new Error('planted')))).rejects.toThrow(
      'planted',
    );
    await expect(turns.within('acme', held.work('c'))).rejects.toMatchObject({ type: 'tenant-overloaded' });
    await held.end('a');
    await first;
    await second;
    expect(await turns.within('acme', async () => 'again')).toBe('again');
  });
});
