/// <reference path="../webassembly.d.ts" />
import { describe, expect, test } from '@jest/globals';
import { withLeastMemory } from './least-memory.ts';

/** A module that imports a function `e.f`, a global `e.g`, and 256 pages of memory as `e.m`. */
const wasm = Uint8Array.from([
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 4, 1, 0x60, 0, 0],
  ...[2, 22, 3],
  ...[1, 0x65, 1, 0x66, 0, 0],
  ...[1, 0x65, 1, 0x67, 3, 0x7f, 0],
  ...[1, 0x65, 1, 0x6d, 2, 0, 0x80, 2],
]);

function instantiate(bytes: Uint8Array<ArrayBuffer>, pages: number): void {
  const m = new WebAssembly.Memory({ initial: pages, maximum: 512 });
  new WebAssembly.Instance(new WebAssembly.Module(bytes), { e: { f: () => undefined, g: 1, m } });
}

describe('a module patched to require less memory', () => {
  test('accepts a memory of that size, but not a smaller one', () => {
    expect(() => instantiate(wasm, 128)).toThrow(WebAssembly.LinkError);

    const content = withLeastMemory(wasm, 128);

    expect(() => instantiate(content, 128)).not.toThrow();
    expect(() => instantiate(content, 127)).toThrow(WebAssembly.LinkError);
  });

  test('is otherwise unchanged, and so is the original module', () => {
    const before = wasm.slice();
    const content = withLeastMemory(wasm, 3);

    expect(wasm).toEqual(before);
    expect(content.subarray(0, -2)).toEqual(wasm.subarray(0, -2));
  });
});

test.each([
  ['that imports no memory', wasm.with(16, 2), 128],
  ['without imports', wasm.subarray(0, 14), 128],
  ['that has no room for the number', wasm, 128 * 128],
])('a module %s is refused', (_, bytes, pages) => {
  expect(() => withLeastMemory(bytes, pages)).toThrow(TypeError);
});
