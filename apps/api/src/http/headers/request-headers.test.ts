import { describe, expect, test } from '@jest/globals';
import { preferredWaitMs } from './request-headers.ts';

describe('preferredWaitMs', () => {
  test.each([
    [undefined, undefined],
    ['', undefined],
    ['wait=3', 3_000],
    ['Wait = "7"', 7_000],
    ['return=minimal, wait=0', 0],
    ['respond-async', 0],
    ['respond-async, wait=5', 0],
    ['wait=999999', 600_000],
    ['wait=4; foo=1', 4_000],
    ['respond-async; foo', 0],
    ['wait=-1', undefined],
    ['wait=abc', undefined],
  ])('parses %p to %p', (header, expected) => {
    expect(preferredWaitMs(header)).toBe(expected);
  });
});
