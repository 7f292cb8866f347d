import { setMaxListeners } from 'node:events';
import { TenantSlots } from './tenant-slots.ts';

const never = new AbortController().signal;
setMaxListeners(0, never);
const a = { tenant: 'a', standing: 'answering' as const };
const b = { tenant: 'b', standing: 'answering' as const };

/** Work that goes on until it is told to end. */
class Works {
  readonly begun: string[] = [];
  private readonly ends: (() => void)[] = [];

  readonly named = (name: string) => (): Promise<string> => {
    this.begun.push(name);
    return new Promise((resolve) => this.ends.push(() => resolve(name)));
  };

  endFirst(): void {
    this.ends.shift()?.();
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the slots of a tenant', () => {
  it('are 64, and who comes later waits for the one that came before', async () => {
    const slots = new TenantSlots();
    const works = new Works();
    for (let index = 0; index < 66; index += 1) void slots.within(a, never, works.named(`a${index}`));
    await settled();
    expect(works.begun).toHaveLength(64);
    works.endFirst();
    await settled();
    expect(works.begun.slice(64)).toEqual(['a64']);
    works.endFirst();
    await settled();
    expect(works.begun.slice(64)).toEqual(['a64', 'a65']);
  });

  it("are not taken by another tenant's", async () => {
    const slots = new TenantSlots();
    const works = new Works();
    for (let index = 0; index < 70; index += 1) void slots.within(a, never, works.named('a'));
    void slots.within(b, never, works.named('b'));
    await settled();
    expect(works.begun.filter((name) => name === 'b')).toEqual(['b']);
  });

  it('are not taken from those agents that answer by those that do not', async () => {
    const slots = new TenantSlots();
    const works = new Works();
    for (let index = 0; index < 70; index += 1)
      void slots.within({ ...a, standing: 'failing' }, never, works.named('dead'));
    void slots.within(a, never, works.named('good'));
    await settled();
    expect(works.begun.filter((name) => name === 'good')).toEqual(['good']);
  });

  it('are free again after work that fails', async () => {
    const slots = new TenantSlots();
    for (let index = 0; index < 70; index += 1) {
      await expect(slots.within(a, never, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    }
    await expect(slots.within(a, never, () => Promise.resolve(7))).resolves.toBe(7);
  });

  it('are not waited for once the signal aborts, and nothing is begun then', async () => {
    const slots = new TenantSlots();
    const works = new Works();
    const stopping = new AbortController();
    for (let index = 0; index < 64; index += 1) void slots.within(a, never, works.named('a'));
    const waiting = [1, 2].map(() => slots.within(a, stopping.signal, works.named('late')));
    stopping.abort();
    await expect(Promise.all(waiting)).resolves.toEqual([undefined, undefined]);
    await expect(slots.within(a, stopping.signal, works.named('late'))).resolves.toBeUndefined();
    expect(works.begun).not.toContain('late');
    works.endFirst();
    await settled();
    void slots.within(a, never, works.named('next'));
    await settled();
    expect(works.begun.at(-1)).toBe('next');
  });
});
