import { describe, expect, test } from '@jest/globals';
import { timeoutMsOf } from './workflow.ts';

describe('the time limit of a run', () => {
  test.each([
    [undefined, null],
    [{}, null],
    [{ executionTimeout: 0 }, null],
    [{ executionTimeout: -1 }, null],
    [{ executionTimeout: 1.5 }, 1_500],
    [{ executionTimeout: 1e12 }, 2_147_483_000],
  ])('under settings %j is %p milliseconds', (settings, expected) => {
    expect(timeoutMsOf(settings)).toBe(expected);
  });
});
