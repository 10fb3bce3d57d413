import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aSmallWorkflow, eventually } from '@sluice/test-support';
import { startTestApi, type TestApi } from './support/test-api.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const metricsOf = async ({ url }: TestApi) => (await fetch(`${url}/metrics`)).text();

describe('GET /metrics', () => {
  test('is for anybody, in the format of Prometheus', async () => {
    const response = await fetch(`${api.url}/metrics`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(await response.text()).toMatch(/^process_resident_memory_bytes \d/m);
  });

  test('counts requests by method, pattern of the route and status, never by path', async () => {
    await metricsOf(api); // from now on
    await api.call('GET', '/workflows/a-secret-id');
    await api.call('GET', '/workflows/a-secret-id', { key: null });
    await api.call('GET', '/no/such/path/a-secret-id?q=a-secret-id');
    const count = 'sluice_http_request_duration_seconds_count';
    await eventually(async () => {
      const text = await metricsOf(api);
      expect(text).toContain(`${count}{method="GET",route="/workflows/:id",status="404"} 1`);
      expect(text).toContain(`${count}{method="GET",route="none",status="401"} 1`);
      expect(text).toContain(`${count}{method="GET",route="none",status="404"} 1`);
      expect(text).not.toContain('a-secret-id');
    });
  });

  test('counts the executions that have not ended', async () => {
    const fresh = await startTestApi();
    try {
      const { body: workflow } = await fresh.call('POST', '/workflows', { body: aSmallWorkflow() });
      for (let i = 0; i < 3; i++)
        await fresh.call('POST', `/workflows/${workflow.id}/run`, { headers: { prefer: 'respond-async' } });
      const text = await metricsOf(fresh);
      for (const [status, count] of Object.entries({ new: 3, running: 0, waiting: 0 }))
        expect(text).toContain(`sluice_executions{status="${status}"} ${count}\n`);
    } finally {
      await fresh.close();
    }
  });

  test('is not there when the operator says so', async () => {
    const silent = await startTestApi({ METRICS: 'off' });
    expect((await fetch(`${silent.url}/metrics`)).status).toBe(404);
    await silent.close();
  });
});
