import { expect, test } from '@jest/globals';
import { WritePace } from './write-pace.ts';

test.each([
  [0, { pauseMs: 0, deferMs: 5 }],
  [31, { pauseMs: 0, deferMs: 5 }],
  [32, { pauseMs: 10, deferMs: 500 }],
  [300, { pauseMs: 10, deferMs: 500 }],
])('a worker that runs %d executions writes at this pace, and soon if clients follow', (running, { pauseMs, deferMs }) => {
  const pace = new WritePace({ running });
  expect([pace.pauseMs, pace.deferMs({ isFollowed: false })]).toEqual([pauseMs, deferMs]);
  expect(pace.deferMs({ isFollowed: true })).toBe(5);
});
