import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { newBinaryId } from '../src/binary-id.ts';
import type { BinaryStore } from '../src/binary-store.ts';

/** A store, and the number of complete or partial files it contains. */
export interface StoreUnderTest {
  store: BinaryStore;
  countKept(): Promise<number>;
}

export async function* streamOf(...chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

/** The rules for every `BinaryStore`. */
export function binaryStoreSuite(name: string, setUp: () => Promise<StoreUnderTest>): void {
  describe(`${name} as a BinaryStore`, () => {
    test('returns the stored bytes and their number', async () => {
      const { store } = await setUp();
      const id = newBinaryId();
      const bytes = randomBytes(300_000);
      const put = await store.put(id, streamOf(bytes.subarray(0, 1), bytes.subarray(1, 200_000), bytes.subarray(200_000)));
      expect(put).toEqual({ size: 300_000 });
      expect((await buffer(await store.open(id))).equals(bytes)).toBe(true);
      expect(await store.exists(id)).toBe(true);
    });

    test('stores an empty file', async () => {
      const { store } = await setUp();
      const id = newBinaryId();
      expect(await store.put(id, streamOf())).toEqual({ size: 0 });
      expect(await buffer(await store.open(id))).toHaveLength(0);
    });

    test('returns a range, both ends inclusive', async () => {
      const { store } = await setUp();
      const id = newBinaryId();
      await store.put(id, streamOf(Buffer.from('0123456789')));
      const read = async (start: number, end: number) => (await buffer(await store.open(id, { start, end }))).toString();
      expect([await read(0, 0), await read(2, 5), await read(9, 9)]).toEqual(['0', '2345', '9']);
    });

    test('keeps nothing of a file whose content fails, and rethrows the error', async () => {
      const { store, countKept } = await setUp();
      const failing = async function* () {
        for (let part = 0; part < 3; part += 1) yield randomBytes(9 * 1024 * 1024);
        throw new RangeError('the source broke');
      };
      await expect(store.put(newBinaryId(), failing())).rejects.toThrow(new RangeError('the source broke'));
      expect(await countKept()).toBe(0);
    });

    test('does not find unknown ids, and refuses strings that are not ids', async () => {
      const { store } = await setUp();
      for (const id of [newBinaryId(), '', '../../etc/passwd', `${newBinaryId()}/..`, newBinaryId().toUpperCase()]) {
        await expect(store.open(id)).rejects.toMatchObject({ code: 'BINARY_NOT_FOUND', kind: 'expected' });
        expect(await store.exists(id)).toBe(false);
        await store.delete([id], { interrupted: true });
      }
      await expect(store.put('../x', streamOf())).rejects.toThrow('not a file id');
    });

    test('deletes only the given ids, even if repeated', async () => {
      const { store, countKept } = await setUp();
      const ids = Array.from({ length: 20 }, newBinaryId);
      for (const id of ids) await store.put(id, streamOf(Buffer.from(id)));
      await store.delete(ids.slice(1));
      await store.delete(ids.slice(1), { interrupted: true });
      expect(await Promise.all(ids.map((id) => store.exists(id)))).toEqual(ids.map((_, i) => i === 0));
      expect(await countKept()).toBe(1);
    });

    test('reads no more of the content than it can write', async () => {
      const { store } = await setUp();
      const id = newBinaryId();
      let sent = 0;
      const content = async function* () {
        for (; sent < 40; sent += 1) yield Buffer.alloc(1024 * 1024);
      };
      const before = process.memoryUsage.rss();
      expect(await store.put(id, content())).toEqual({ size: 40 * 1024 * 1024 });
      expect(process.memoryUsage.rss() - before).toBeLessThan(400 * 1024 * 1024);
      (await store.open(id)).destroy();
    });
  });
}
