import { expect, test } from '@jest/globals';
import { WritePace } from './write-pace.ts';

test.each([
  [0, { pauseMs: 0, deferMs: 5 }],
  [31, { pauseMs: 0, deferMs: 5 }],
  [32, { pauseMs: 10, deferMs: 500 }],
  [300, { pauseMs: 10, deferMs: 500 }],
])(
  'a worker with %d executions delays writes by its load, but by only 5 ms if clients follow',
  (running, { pauseMs, deferMs }) => {
    const pace = new WritePace({ running });
    expect([pace.pauseMs, pace.deferMs({ isWatched: false })]).toEqual([pauseMs, deferMs]);
    expect(pace.deferMs({ isWatched: true })).toBe(5);
  },
);
