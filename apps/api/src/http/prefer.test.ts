import { describe, expect, test } from '@jest/globals';
import { preferredWaitMs } from './prefer.ts';

describe('preferredWaitMs', () => {
  test.each([
    [undefined, 10_000],
    ['', 10_000],
    ['wait=3', 3_000],
    ['Wait = "7"', 7_000],
    ['return=minimal, wait=0', 0],
    ['respond-async', 0],
    ['respond-async, wait=5', 0],
    ['wait=999999', 600_000],
    ['wait=4; foo=1', 4_000],
    ['respond-async; foo', 0],
    ['wait=-1', 10_000],
    ['wait=abc', 10_000],
  ])('of %p is %p', (header, expected) => {
    expect(preferredWaitMs(header, 10_000)).toBe(expected);
  });
});
