import { setImmediate } from 'node:timers/promises';
import { CallTurns } from './call-turns.ts';

const never = new AbortController().signal;

/** Work that is under way until it is ended by name, and the order in which it began. */
class Works {
  readonly begun: string[] = [];
  private readonly ends = new Map<string, () => void>();

  constructor(private readonly turns: CallTurns) {}

  ask(tenant: string, name: string, signal = never): Promise<string | undefined> {
    return this.turns.within(tenant, signal, async () => {
      this.begun.push(name);
      await new Promise<void>((resolve) => this.ends.set(name, resolve));
      return name;
    });
  }

  async end(name: string): Promise<void> {
    this.ends.get(name)?.();
    await setImmediate();
  }
}

it('a tenant has so many at once, however many others have none', async () => {
  const works = new Works(new CallTurns({ all: 10, perTenant: 2 }));
  for (const name of ['a1', 'a2', 'a3', 'a4']) void works.ask('a', name);
  void works.ask('b', 'b1');
  expect(works.begun).toEqual(['a1', 'a2', 'b1']);
  await works.end('b1');
  expect(works.begun).toEqual(['a1', 'a2', 'b1']);
  await works.end('a1');
  expect(works.begun).toEqual(['a1', 'a2', 'b1', 'a3']);
});

it('where all is taken the tenants come in rotation, each in the order asked', async () => {
  const works = new Works(new CallTurns({ all: 1, perTenant: 1 }));
  for (const name of ['a1', 'a2', 'a3']) void works.ask('a', name);
  for (const name of ['b1', 'b2']) void works.ask('b', name);
  void works.ask('c', 'c1');
  for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']) await works.end(name);
  expect(works.begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

it('what is not wanted any more is not begun, and leaves its place', async () => {
  const works = new Works(new CallTurns({ all: 1, perTenant: 1 }));
  const ending = new AbortController();
  void works.ask('a', 'a1');
  const given = works.ask('a', 'a2', ending.signal);
  void works.ask('a', 'a3');
  ending.abort();
  expect(await given).toBeUndefined();
  await works.end('a1');
  expect(works.begun).toEqual(['a1', 'a3']);
  expect(await works.ask('a', 'a4', ending.signal)).toBeUndefined();
});

it('what throws leaves its place too', async () => {
  const turns = new CallTurns({ all: 1, perTenant: 1 });
  await expect(turns.within('a', never, () => Promise.reject(new Error('wrong')))).rejects.toThrow('wrong');
  expect(await turns.within('b', never, async () => 'done')).toBe('done');
});
