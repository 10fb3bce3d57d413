import { afterAll, expect, test } from '@jest/globals';
import type { JsonObject, WorkflowNode } from '@sluice/domain';
import { aNode, eventually } from '@sluice/test-support';
import { aPath, startWebhookFleet } from './support/webhook-fleet.ts';

const fleet = await startWebhookFleet();
afterAll(() => fleet.close());

const respond = (name: string, responseBody: string): WorkflowNode =>
  aNode({ name, type: 'base.respond-to-webhook', typeVersion: 1.4, parameters: { respondWith: 'text', responseBody } });

const wait = (parameters: JsonObject): WorkflowNode =>
  aNode({
    name: 'Wait',
    type: 'base.wait',
    typeVersion: 1.1,
    parameters: { resume: 'webhook', httpMethod: 'POST', ...parameters },
  });

/**
 * Starts a workflow that responds with its resume URL. Resolves to that URL once the execution
 * waits.
 */
async function waitingAt(...nodes: WorkflowNode[]): Promise<string> {
  const path = aPath();
  const webhook = { path, httpMethod: 'POST', responseMode: 'responseNode' };
  const workflowId = await fleet.activate(webhook, [respond('First', '={{ $execution.resumeUrl }}'), ...nodes]);
  const resumeUrl = await (await fleet.post(path, {})).text();
  await eventually(async () => (await fleet.statusesOf(workflowId)).join() === 'waiting');
  return resumeUrl.replace('https://sluice.example', fleet.api.url);
}

const post = (url: string, body: unknown, type = 'application/json') =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': type },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

test('a request that ends a wait gets the response of a later node, not the response to the first request', async () => {
  const url = await waitingAt(wait({ responseMode: 'responseNode' }), respond('Thank', '={{ "thanks, " + $json.body.name }}'));
  const response = await post(url, { name: 'Ada' });
  expect([response.status, await response.text()]).toEqual([200, 'thanks, Ada']);
  expect((await post(url, {})).status).toBe(409);
});

test('a request that ends a wait gets the output of the last node, with the headers of the wait', async () => {
  const options = { responseHeaders: { entries: [{ name: 'X-Seen', value: 'yes' }] }, responsePropertyName: 'body' };
  const url = await waitingAt(wait({ responseMode: 'lastNode', responseCode: 201, options }));
  const response = await post(url, { name: 'Ada' });
  expect([response.status, response.headers.get('x-seen'), await response.json()]).toEqual([201, 'yes', { name: 'Ada' }]);
});

test('a failure after the wait is reported to the client that ended it, without its cause', async () => {
  const stop = aNode({ name: 'Stop', type: 'base.stop-and-error', parameters: { errorMessage: 'secret' } });
  const response = await post(await waitingAt(wait({ responseMode: 'lastNode' }), stop), {});
  const body = await response.text();
  expect([response.status, JSON.parse(body).code]).toEqual([500, 'EXECUTION_FAILED']);
  expect(body).not.toContain('secret');
});

test('a request can contain a file, which is added to the item, only if the wait accepts files', async () => {
  const asFile = await waitingAt(wait({ responseMode: 'lastNode', responseData: 'firstEntryBinary' }));
  const response = await post(asFile, '%PDF', 'application/pdf');
  expect([response.headers.get('content-type'), await response.text()]).toEqual(['application/pdf', '%PDF']);
  const version1: WorkflowNode = { ...wait({}), typeVersion: 1 };
  expect((await post(await waitingAt(version1), '%PDF', 'application/pdf')).status).toBe(415);
});
