import { afterAll, describe, expect, test } from '@jest/globals';
import { aSmallWorkflow, eventually } from '@sluice/test-support';
import { ownerKey, startTestApi, type TestApi } from './support/test-api.ts';

const api = await startTestApi();
afterAll(() => api.close());

const addressOf = ({ api: { metricsPort } }: TestApi) => `http://127.0.0.1:${metricsPort}/metrics`;
const metricsOf = async (api: TestApi) => (await fetch(addressOf(api))).text();

describe('GET /metrics', () => {
  test('is served on its own port, in the Prometheus format', async () => {
    const response = await fetch(addressOf(api));
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(await response.text()).toMatch(/^process_resident_memory_bytes \d/m);
  });

  test('counts requests by method, route pattern, and status, never by path', async () => {
    await metricsOf(api); // the first scrape starts the collection
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

  test('is not on the public port, whatever the key', async () => {
    for (const headers of [{}, { 'x-service-api-key': ownerKey }])
      expect((await fetch(`${api.url}/metrics`, { headers })).status).toBe(404);
  });

  test('is the only endpoint on its port', async () => {
    for (const path of ['/', '/healthz', '/api/v1/workflows', '/metrics/x'])
      expect((await fetch(new URL(path, addressOf(api)))).status).toBe(404);
    expect((await fetch(addressOf(api), { method: 'POST' })).status).toBe(404);
  });

  test('is not served when the operator turns it off', async () => {
    const silent = await startTestApi({ METRICS: 'off' });
    expect(silent.api.metricsPort).toBeNull();
    await silent.close();
  });
});
