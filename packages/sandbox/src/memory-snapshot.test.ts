import { expect, test } from '@jest/globals';
import { MemorySnapshot } from './memory-snapshot.ts';

test('a restored memory is as it was, and zero where it was not used', () => {
  const memory = new ArrayBuffer(8 * 64 * 1024);
  const bytes = new Uint8Array(memory);
  bytes.set([1, 2, 3], 100);
  bytes[3 * 64 * 1024] = 4;
  const before = bytes.slice();
  const snapshot = new MemorySnapshot(memory);

  bytes.fill(255, 50, 200_000);
  bytes[bytes.length - 1] = 9;
  snapshot.restore(memory);

  expect(Buffer.compare(bytes, before)).toBe(0);
});
