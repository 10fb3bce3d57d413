/// <reference path="../webassembly.d.ts" />
import { expect, test } from '@jest/globals';
import { MemorySnapshot } from './memory-snapshot.ts';

const pageBytes = 64 * 1024;

/** Eight pages, of which the first and the fourth are in use. */
function usedMemory() {
  const memory = new WebAssembly.Memory({ initial: 8, maximum: 16 });
  const bytes = new Uint8Array(memory.buffer);
  bytes.set([1, 2, 3], 100);
  bytes[3 * pageBytes] = 4;
  return { memory, before: bytes.slice() };
}

test('a restored memory has its original content, and zeros where it was not used', () => {
  const { memory, before } = usedMemory();
  const snapshot = new MemorySnapshot(memory.buffer);
  const bytes = new Uint8Array(memory.buffer);

  bytes.fill(255, 50, 200_000);
  bytes[bytes.length - 1] = 9;
  snapshot.restore(memory.buffer);

  expect(Buffer.compare(bytes, before)).toBe(0);
});

test('no byte outlives a restore, wherever it was written', () => {
  const { memory, before } = usedMemory();
  const snapshot = new MemorySnapshot(memory.buffer);
  const bytes = new Uint8Array(memory.buffer);
  const places = Array.from({ length: 8 }, (_, page) => [0, 1, 4_095, 4_096, pageBytes - 1].map((at) => page * pageBytes + at));

  for (const place of places.flat()) {
    bytes[place] = 0xa5;
    snapshot.restore(memory.buffer);
    expect(bytes[place]).toBe(before[place]);
  }
});

test('the unused part of the stack is cleared only on request, but its top always', () => {
  const memory = new WebAssembly.Memory({ initial: 40, maximum: 40 });
  const bytes = new Uint8Array(memory.buffer);
  bytes[0] = 1;
  bytes[30 * pageBytes] = 2; // the heap, above the stack
  const snapshot = new MemorySnapshot(memory.buffer);

  for (let page = 1; page < 40; page += 1) bytes[page * pageBytes + 7] = 3;
  snapshot.restore(memory.buffer);
  const dirtyPages = () => Array.from({ length: 40 }, (_, page) => page).filter((page) => bytes[page * pageBytes + 7] !== 0);

  expect(dirtyPages()).toEqual(Array.from({ length: 21 }, (_, i) => i + 1));
  snapshot.clearUnused(memory.buffer);
  expect(dirtyPages()).toEqual([]);
});

test('pages that a memory has gained are zero after a restore', () => {
  const { memory, before } = usedMemory();
  const snapshot = new MemorySnapshot(memory.buffer);

  memory.grow(8);
  const bytes = new Uint8Array(memory.buffer);
  bytes.fill(0xa5, 7 * pageBytes);
  snapshot.restore(memory.buffer);

  expect(Buffer.compare(bytes.subarray(0, before.length), before)).toBe(0);
  expect(bytes.subarray(before.length).every((byte) => byte === 0)).toBe(true);
});
