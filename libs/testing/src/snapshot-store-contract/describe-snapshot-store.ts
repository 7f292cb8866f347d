// What every snapshot store keeps to.
import type { SnapshotStore } from '#event-log';

export interface OpenSnapshotStore {
  readonly store: SnapshotStore;
  close(): Promise<void>;
}

async function chunksOf(store: SnapshotStore, partition: number): Promise<string[] | undefined> {
  const snapshot = await store.load(partition);
  if (snapshot === undefined) return undefined;
  const chunks: string[] = [];
  for await (const chunk of snapshot.chunks) chunks.push(Buffer.from(chunk).toString());
  return chunks;
}

function bytes(...texts: readonly string[]): Uint8Array[] {
  return texts.map((text) => Buffer.from(text));
}

function* failing(): Generator<Uint8Array> {
  yield Buffer.from('half');
  throw new Error('cut short');
}

/** The contract, as a suite. */
export function describeSnapshotStore(name: string, open: () => Promise<OpenSnapshotStore>): void {
  describe(name, () => {
    let opened: OpenSnapshotStore;
    let store: SnapshotStore;
    beforeAll(async () => {
      opened = await open();
      ({ store } = opened);
    });
    afterAll(() => opened.close());

    it('has nothing of a partition before the first save', async () => {
      expect(await store.load(0)).toBeUndefined();
    });

    it('gives back the chunks in order, with the offset', async () => {
      await store.save(1, 41, bytes('one', '', 'three\0'));
      expect((await store.load(1))?.ledgerOffset).toBe(41);
      expect(await chunksOf(store, 1)).toEqual(['one', '', 'three\0']);
    });

    it('keeps the newest, and partitions apart', async () => {
      await store.save(2, 1, bytes('old', 'older'));
      await store.save(2, 2, bytes('new'));
      await store.save(3, 9, bytes('another'));
      expect(await chunksOf(store, 2)).toEqual(['new']);
      expect(await chunksOf(store, 3)).toEqual(['another']);
    });

    it('goes on showing the last whole one while a save is cut short', async () => {
      await store.save(4, 1, bytes('whole'));
      await expect(store.save(4, 2, failing())).rejects.toThrow('cut short');
      expect(await chunksOf(store, 4)).toEqual(['whole']);
      await store.save(4, 3, bytes('next'));
      expect(await chunksOf(store, 4)).toEqual(['next']);
    });
  });
}
