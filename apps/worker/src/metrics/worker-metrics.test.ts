import { expect, test } from '@jest/globals';
import { startHealthServer } from '../health-server.ts';
import { WorkerMetrics } from './worker-metrics.ts';

test('a worker reports its running executions and the outcomes of ended executions', async () => {
  const metrics = new WorkerMetrics({ active: () => 2, concurrency: () => 12, listeners: () => 3, waitingStatements: () => 0 });
  for (const status of ['success', 'success', 'relinquished'] as const) {
    metrics.executionStarted();
    metrics.executionEnded(status, 120);
  }
  const server = await startHealthServer({
    host: '127.0.0.1',
    port: 0,
    readiness: () => ({}),
    metrics: { get: async () => metrics },
  });

  const response = await fetch(`http://127.0.0.1:${server.port}/metrics`);
  const text = await response.text();
  await server.close();

  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(text).toContain('sluice_worker_executions_started_total 3\n');
  expect(text).toContain('sluice_worker_executions_active 2\n');
  expect(text).toContain('sluice_worker_concurrency 12\n');
  expect(text).toContain('sluice_worker_execution_duration_seconds_count{status="success"} 2\n');
  expect(text).toContain('sluice_worker_execution_duration_seconds_count{status="relinquished"} 1\n');
});

test('a worker without metrics does not serve the path', async () => {
  const server = await startHealthServer({ host: '127.0.0.1', port: 0, readiness: () => ({}), metrics: null });
  const { status } = await fetch(`http://127.0.0.1:${server.port}/metrics`);
  await server.close();
  expect(status).toBe(404);
});
