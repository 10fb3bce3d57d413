import { request } from 'node:http';
import { afterAll, expect, test } from '@jest/globals';
import type { JsonObject, WorkflowNode } from '@sluice/domain';
import { eventually } from '@sluice/test-support';
import { aPath, startWebhookFleet } from './support/webhook-fleet.ts';

/* The body of a request may arrive a minute after its headers. */

const fleet = await startWebhookFleet();
afterAll(() => fleet.close());

const [head, tail] = [
  '--B\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nfirst',
  ' last\r\n--B--\r\n',
];

/** Number of files whose upload has started. */
async function startedUploads(): Promise<number> {
  return (await fleet.api.db.kysely.selectFrom('binary_leftovers').select('binary_id').execute()).length;
}

/**
 * Sends a file in two parts, with `between` after the first one was received. Resolves to the
 * status.
 */
async function sendInParts(url: string, between: () => Promise<unknown>): Promise<number> {
  const before = await startedUploads();
  const headers = {
    authorization: `Basic ${Buffer.from('ada:secret').toString('base64')}`,
    'content-type': 'multipart/form-data; boundary=B',
    'content-length': head.length + tail.length,
  };
  const sent = request(url, { method: 'POST', headers });
  const status = new Promise<number>((resolve, reject) => {
    sent.once('response', (response) => resolve(response.resume().statusCode ?? 0)).once('error', reject);
  });
  sent.write(head);
  await eventually(async () => expect(await startedUploads()).toBeGreaterThan(before));
  await between();
  sent.end(tail);
  return status;
}

const fileField = { fieldType: 'file', fieldLabel: 'file', fieldName: 'file' };

test.each<[string, (path: string) => [JsonObject, Partial<WorkflowNode>]]>([
  ['webhook', (path) => [{ path, httpMethod: 'POST' }, {}]],
  [
    'form',
    (path) => [
      { options: { path }, formFields: { values: [fileField] } },
      { name: 'Form', type: 'base.form-trigger', typeVersion: 2.5 },
    ],
  ],
])('a %s checks its credential again after a late body', async (kind, nodeAt) => {
  const body = { name: 'senders', type: 'httpBasicAuth', data: { user: 'ada', password: 'secret' } };
  const { id: credentialId } = (await fleet.api.call('POST', '/credentials', { body })).body;
  const path = aPath();
  const [parameters, node] = nodeAt(path);
  const credentials = { httpBasicAuth: { id: credentialId, name: 'senders' } };
  const id = await fleet.activate({ ...parameters, authentication: 'basicAuth' }, [], { ...node, credentials });
  const url = `${fleet.api.url}/${kind}/${path}`;
  const data = { user: 'ada', password: 'changed' };
  const change = () => fleet.api.call('PATCH', `/credentials/${credentialId}`, { body: { data } });
  expect(await sendInParts(url, async () => {})).toBe(200);
  expect(await sendInParts(url, change)).toBe(401);
  expect(await fleet.statusesOf(id)).toHaveLength(1);
});
