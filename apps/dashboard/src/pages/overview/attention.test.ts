import { describe, expect, test } from '@jest/globals';
import { attentionItems } from './attention.ts';
import type { Finding, Statistics } from './use-overview.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const ago = (ms: number) => new Date(now - ms).toISOString();
const worker = { hostname: 'a', pid: 7, loopLagMs: 5, memoryBytes: 50, memoryLimitBytes: 100 };
const none = { at: null, project: null, workflow: null, nodeName: null, credential: null, apiKey: null };
const titles = (...facts: Parameters<typeof attentionItems>) => attentionItems(...facts).map(({ title }) => title);

describe('what needs attention', () => {
  test('is empty if everything is healthy or unknown', () => {
    expect(attentionItems({}, now)).toEqual([]);
    expect(attentionItems({ queue: { queued: 0, oldestQueuedAt: null }, workers: [worker] }, now)).toEqual([]);
  });

  test('each problem that the service reports links to its page; errors come first', () => {
    const findings: Finding[] = [
      { ...none, kind: 'apiKeyExpiring', severity: 'warning', message: 'a key expires', apiKey: { id: 'k', name: 'ci' } },
      {
        ...none,
        kind: 'triggerFailing',
        severity: 'error',
        message: 'a trigger fails',
        nodeName: 'Poll',
        workflow: { id: 'w', name: 'W' },
      },
    ];
    expect(attentionItems({ findings }, now)).toEqual([
      { tone: 'error', title: 'A trigger fails', text: 'Node Poll.', to: '/workflows/w' },
      { tone: 'waiting', title: 'A key expires', to: '/keys' },
    ]);
  });

  test('workers with a late lease, and workers short of memory', () => {
    expect(titles({ workers: [{ ...worker, loopLagMs: 3000 }] }, now)).toEqual(['A worker is busy']);
    expect(titles({ workers: [{ ...worker, memoryBytes: 95 }] }, now)).toEqual(['A worker is short of memory']);
    expect(titles({ workers: [{ ...worker, memoryLimitBytes: null }] }, now)).toEqual([]);
  });

  test('an old queue, and mostly failing workflows', () => {
    const queue = { queued: 12, oldestQueuedAt: ago(90_000) };
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
    expect(titles({ queue, statistics }, now)).toEqual([
      'The oldest of 12 queued executions has waited for 1 min 30 s',
      'Export fails',
    ]);
  });
});
