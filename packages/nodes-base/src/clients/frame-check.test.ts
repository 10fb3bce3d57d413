import { expect, test } from '@jest/globals';
import { FrameCheck } from './frame-check.ts';

/** Frames with a two-byte header: their length, and 7. */
function frames(): { check: FrameCheck; seen: number[] } {
  const seen: number[] = [];
  const check = new FrameCheck(2, ([length = 0, mark]) => {
    seen.push(length);
    if (mark !== 7 || length < 2) throw new Error(`not a frame: ${length}`);
    return length;
  });
  return { check, seen };
}

test.each([1, 2, 3, 100])('checks the header of each frame, in chunks of %i bytes', (size) => {
  const stream = Buffer.from([2, 7, 5, 7, 0, 0, 0, 3, 7, 9, 4, 7, 1, 1]);
  const { check, seen } = frames();
  for (let at = 0; at < stream.length; at += size) check.read(stream.subarray(at, at + size));
  expect(seen).toEqual([2, 5, 3, 4]);
});

test('throws at an invalid header and in every later call', () => {
  const { check } = frames();
  expect(() => check.read(Buffer.from([3, 7, 0, 0, 7]))).toThrow('not a frame: 0');
  expect(() => check.read(Buffer.from([2, 7]))).toThrow('not a frame: 0');
});
