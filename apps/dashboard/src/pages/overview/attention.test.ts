import { describe, expect, test } from '@jest/globals';
import { attentionItems } from './attention.ts';
import type { Queue, Statistics, Worker } from './use-overview.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const ago = (ms: number) => new Date(now - ms).toISOString();
const queue: Queue = { queued: 0, oldestQueuedAt: null, blocked: 0, maxPerProject: null, projects: [] };
const worker = { hostname: 'a', pid: 7, loopLagMs: 5, memoryBytes: 50, memoryLimitBytes: 100 } as Worker;
const titles = (...facts: Parameters<typeof attentionItems>) => attentionItems(...facts).map(({ title }) => title);

describe('what needs attention', () => {
  test('nothing, if all is well or unknown', () => {
    expect(attentionItems({}, now)).toEqual([]);
    expect(attentionItems({ queue, workers: [worker], keys: [{ label: 'a', expiresAt: null }] }, now)).toEqual([]);
  });

  test('workers: none, late ones, and those short of memory', () => {
    expect(titles({ workers: [] }, now)).toEqual(['No worker is running']);
    expect(titles({ workers: [{ ...worker, loopLagMs: 3000 }] }, now)).toEqual(['A worker is busy']);
    expect(titles({ workers: [{ ...worker, memoryBytes: 95 }] }, now)).toEqual(['A worker is short of memory']);
    expect(titles({ workers: [{ ...worker, memoryBytes: null }] }, now)).toEqual([]);
  });

  test('queues: old and nearly full ones', () => {
    const old = { ...queue, queued: 12, oldestQueuedAt: ago(90_000) };
    expect(titles({ queue: old }, now)).toEqual(['The oldest of 12 queued executions waits for 1 min 30 s']);
    const project = { projectId: 'p', projectName: 'Sales', queued: 90, oldestQueuedAt: ago(1000) };
    expect(titles({ queue: { ...queue, maxPerProject: 100, projects: [project] } }, now)).toEqual([
      'The queue of Sales is nearly full',
    ]);
  });

  test('workflows that mostly fail, before keys that will expire', () => {
    const failing = {
      workflowId: 'w',
      workflowName: 'Export',
      succeeded: 1,
      failed: 4,
      canceled: 0,
      p50Ms: 1,
      p95Ms: 1,
      p99Ms: 1,
    };
    const statistics = { mostFailing: [failing, { ...failing, succeeded: 9 }] } as unknown as Statistics;
    const keys = [
      { label: 'soon', expiresAt: now / 1000 + 3 * 86_400 },
      { label: 'later', expiresAt: now / 1000 + 30 * 86_400 },
    ];
    expect(titles({ statistics, keys }, now)).toEqual(['Export fails', 'API key “soon”']);
  });
});
