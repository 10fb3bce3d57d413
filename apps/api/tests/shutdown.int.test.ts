import { Agent, request } from 'node:http';
import { expect, test } from '@jest/globals';
import { aSmallWorkflow, eventually, watchForLeaks } from '@sluice/test-support';
import { ownerKey, startTestApi } from './support/test-api.ts';

test('a stop lets open requests end, over connections that stay alive too, and leaves nothing open', async () => {
  const nothingLeft = watchForLeaks();
  const api = await startTestApi();
  const { body } = await api.call('POST', '/workflows', { body: aSmallWorkflow() });
  const agent = new Agent({ keepAlive: true });
  const answer = new Promise<number | undefined>((resolve, reject) => {
    const headers = { 'x-service-api-key': ownerKey, prefer: 'wait=1' };
    request(`${api.url}/api/v1/workflows/${body.id}/run`, { method: 'POST', agent, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    })
      .on('error', reject)
      .end();
  });
  await eventually(async () => (await api.call('GET', '/executions')).body.count === 1);
  const began = performance.now();
  const stopped = api.close();
  expect(await answer).toBe(200);
  await stopped;
  expect(performance.now() - began).toBeLessThan(4_000);
  agent.destroy();
  await nothingLeft();
});
