import { afterEach, expect, test } from '@jest/globals';
import {
  executionClaimed,
  groupCommitted,
  nodeRan,
  noteLimit,
  poolWaited,
  sandboxKilled,
  sweepFound,
  triggerFailed,
} from '@sluice/domain';
import { ProcessMetrics } from './process-metrics.ts';

const open: ProcessMetrics[] = [];
afterEach(() => {
  for (const metrics of open.splice(0)) metrics.close();
});

function aProcess(waiting = 0): ProcessMetrics {
  const metrics = new ProcessMetrics({ waitingStatements: () => waiting, packages: { loaded: 3, failed: 1 } });
  open.push(metrics);
  return metrics;
}

test('counts what the packages of the process publish', async () => {
  const metrics = aProcess(0.5);
  executionClaimed.publish({ waitMs: 200 });
  nodeRan.publish({ type: 'base.set', durationMs: 5, failed: false });
  nodeRan.publish({ type: 'base.set', durationMs: 5, failed: true });
  groupCommitted.publish({ group: 'endings', size: 7 });
  poolWaited.publish({ waitMs: 20 });
  sweepFound.publish({ find: 'stranded', count: 4 });
  sandboxKilled.publish({ reason: 'timeout' });
  noteLimit('RATE_LIMITED');
  noteLimit('NOT_FOUND');
  triggerFailed.publish({ kind: 'poll' });

  const lines = (await metrics.text()).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'sluice_execution_start_delay_seconds_sum 0.2',
      'sluice_node_duration_seconds_count{type="base.set"} 2',
      'sluice_node_failures_total{type="base.set"} 1',
      'sluice_group_commit_size_sum{group="endings"} 7',
      'sluice_database_pool_wait_seconds_sum 0.02',
      'sluice_database_pool_waiting 0.5',
      'sluice_sweep_finds_total{find="stranded"} 4',
      'sluice_sweep_finds_total{find="lease"} 0',
      'sluice_sandbox_kills_total{reason="timeout"} 1',
      'sluice_limits_hit_total{limit="RATE_LIMITED"} 1',
      'sluice_trigger_failures_total{kind="poll"} 1',
      'sluice_node_packages{status="failed"} 1',
    ]),
  );
  expect(lines.join()).not.toContain('NOT_FOUND');
});

test('has series for a limited number of node types', async () => {
  const metrics = aProcess();
  for (let i = 0; i < 500; i++) nodeRan.publish({ type: `acme.type-${i}`, durationMs: 1, failed: false });
  const counts = (await metrics.text()).match(/^sluice_node_duration_seconds_count.*$/gm) ?? [];
  expect(counts).toHaveLength(101);
  expect(counts).toContain('sluice_node_duration_seconds_count{type="other"} 400');
});

test('measures nothing after it is closed', async () => {
  const metrics = aProcess();
  metrics.close();
  noteLimit('RATE_LIMITED');
  poolWaited.publish({ waitMs: 20 });
  const text = await metrics.text();
  expect(text).toContain('sluice_database_pool_wait_seconds_count 0');
  expect(text).toContain('sluice_limits_hit_total{limit="RATE_LIMITED"} 0');
});
