import { beforeEach, describe, expect, test } from '@jest/globals';
import { createLogger } from '@sluice/logger';
import type { ProgressMessage } from '@sluice/queue';
import { ProgressReporter } from './progress-reporter.ts';

let now: number;
let published: ProgressMessage[];
let reporter: ProgressReporter;

beforeEach(() => {
  now = 0;
  published = [];
  const channel = { publish: async (message: ProgressMessage) => void published.push(message) };
  reporter = new ProgressReporter(channel, createLogger({ name: 'test', level: 'silent' }), () => now);
});

describe('ProgressReporter', () => {
  test('reports nothing about executions without followers', () => {
    reporter.watch(['2']);
    const report = reporter.open('1');
    report.nodeStarted({ nodeName: 'A', runIndex: 0, seq: 0, startTime: 5 });
    report.nodeFinished({ nodeName: 'A', runIndex: 0 });
    report.changed();
    expect(published).toEqual([]);
  });

  test('reports starts and changes of followed executions, even if the watch arrived before the claim', () => {
    reporter.watch(['1']);
    const report = reporter.open('1');
    report.nodeStarted({ nodeName: 'A', runIndex: 0, seq: 0, startTime: 5 });
    report.changed();
    expect(published).toEqual([
      { started: { executionId: '1', nodeName: 'A', runIndex: 0, seq: 0, startTime: 5 } },
      { changed: '1' },
    ]);
  });

  test('reports the running node at each watch message, since it may come from a new follower', () => {
    const report = reporter.open('1');
    report.nodeStarted({ nodeName: 'A', runIndex: 0, seq: 0, startTime: 5 });
    const started = { started: { executionId: '1', nodeName: 'A', runIndex: 0, seq: 0, startTime: 5 } };
    reporter.watch(['1']);
    reporter.watch(['1']);
    expect(published).toEqual([started, started]);
    report.nodeFinished({ nodeName: 'A', runIndex: 0 });
    reporter.watch(['1']);
    expect(published).toHaveLength(2);
  });

  test('reports sub-node runs together with the node that uses them', () => {
    const report = reporter.open('1');
    report.nodeStarted({ nodeName: 'Agent', runIndex: 0, seq: 0, startTime: 5 });
    report.nodeStarted({ nodeName: 'Tool', runIndex: 0, seq: 0, startTime: 6 });
    report.nodeStarted({ nodeName: 'Tool', runIndex: 1, seq: 0, startTime: 7 });
    report.nodeFinished({ nodeName: 'Tool', runIndex: 0 });
    reporter.watch(['1']);
    const names = published.map((message) => 'started' in message && [message.started.nodeName, message.started.runIndex]);
    expect(names).toEqual([
      ['Agent', 0],
      ['Tool', 1],
    ]);
  });

  test('stops reporting if the watch message is not repeated', () => {
    reporter.watch(['1']);
    const report = reporter.open('1');
    now = 15_001;
    report.changed();
    expect(published).toEqual([]);
  });

  test('forgets released executions', () => {
    reporter.watch(['1']);
    reporter.open('1').close();
    expect(reporter.isWatched('1')).toBe(false);
  });
});
