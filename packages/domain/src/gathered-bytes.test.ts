import { expect, test } from '@jest/globals';
import { GatheredBytes, gatherBytes } from './gathered-bytes.ts';

async function* repeated(chunk: Uint8Array, count: number): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < count; sent++) yield chunk;
}

test('chunks of any size come out in order', () => {
  const chunks = Array.from({ length: 2_000 }, (_, index) => Buffer.alloc([0, 1, 3, 5_000][index % 4] ?? 0, index % 251));
  const gathered = new GatheredBytes();
  for (const chunk of chunks) gathered.add(chunk);
  expect(gathered.length).toBe(Buffer.concat(chunks).length);
  expect(gathered.bytes().equals(Buffer.concat(chunks))).toBe(true);
  gathered.add(Buffer.from('x'));
  expect(gathered.bytes().at(-1)).toBe(120);
});

test('reading a stream stops at the first chunk above the limit', async () => {
  expect((await gatherBytes(repeated(Buffer.alloc(10), 1_000), 95)).length).toBe(100);
  expect((await gatherBytes(repeated(Buffer.alloc(10), 5))).bytes()).toEqual(Buffer.alloc(50));
});

test('chunks of one byte do not need many times their size in memory', () => {
  const count = 2_000_000;
  const gathered = new GatheredBytes();
  const before = process.memoryUsage().heapUsed;
  for (let sent = 0; sent < count; sent++) gathered.add(Uint8Array.of(sent));
  // The chunks' own buffers take 200 MB, whether they have been collected by then or not.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(150_000_000);
  expect(gathered.bytes()).toHaveLength(count);
});
