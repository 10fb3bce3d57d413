import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { aSmallWorkflow, eventually, watchForLeaks } from '@sluice/test-support';
import { ownerKey, startTestApi } from './support/test-api.ts';

test('a stop completes requests that wait for a run, even on keep-alive connections, and leaves nothing open', async () => {
  const nothingLeft = watchForLeaks();
  const api = await startTestApi();
  const { body } = await api.call('POST', '/workflows', { body: aSmallWorkflow() });
  const agent = new Agent({ keepAlive: true });
  const received = new Promise<[status: number | undefined, finished: boolean]>((resolve, reject) => {
    const headers = { 'x-service-api-key': ownerKey, prefer: 'wait=60' };
    request(`${api.url}/api/v1/workflows/${body.id}/run`, { method: 'POST', agent, headers }, (response) => {
      text(response).then((body) => resolve([response.statusCode, JSON.parse(body).finished]), reject);
    })
      .on('error', reject)
      .end();
  });
  await eventually(async () => (await api.call('GET', '/executions')).body.count === 1);
  const began = performance.now();
  const stopped = api.close();
  expect(await received).toEqual([200, false]);
  await stopped;
  expect(performance.now() - began).toBeLessThan(30_000); // half of the maximum wait of the caller
  agent.destroy();
  await nothingLeft();
});
