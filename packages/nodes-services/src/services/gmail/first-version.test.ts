import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { type FakeRun, memoryBinary, runForJson, runNode } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { gmail } from './gmail.ts';
import { gmailServer } from './testing/gmail-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await gmailServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const runOf = (parameters: JsonObject, more: FakeRun = {}): FakeRun => ({
  parameters,
  http: server.http,
  credentials: { gmailOAuth2: { oauthTokenData: { access_token: 'ya29' } } },
  typeVersion: 1,
  ...more,
});
const run = (parameters: JsonObject, more: FakeRun = {}) => runForJson(gmail, runOf(parameters, more));
const sent = () => server.received.map(({ method, url }) => `${method} ${url.replace('/gmail/v1/users/me', '')}`);
/** The message of the last upload, and its metadata. */
function uploaded(): { message: string; metadata: string } {
  const text = server.received.at(-1)?.body.toString() ?? '';
  const [, metadata = '', message = ''] =
    /\r\n\r\n(.*)\r\n--.*\r\nContent-Type: message\/rfc822\r\n\r\n([\s\S]*)\r\n--/.exec(text) ?? [];
  return { message: message.replaceAll('\r\n', '\n'), metadata };
}
const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(uploaded().message)?.[1] ?? '';

describe('a message', () => {
  test('has recipients as a list, and text alongside HTML', async () => {
    const binary = memoryBinary();
    const data = await binary.store(Buffer.from('x,y'), { fileName: 'a.csv', mimeType: 'text/csv' });
    const parameters = {
      resource: 'message',
      subject: 'Hi',
      message: 'plain',
      includeHtml: true,
      htmlMessage: '<p>rich',
      toList: ['a@example.com', 'Bob <b@example.com>'],
      additionalFields: {
        ccList: ['c@example.com'],
        bccList: 'd@example.com, e@example.com',
        senderName: 'Shop',
        attachmentsUi: { attachmentsBinary: [{ property: 'data' }] },
      },
    };
    const output = await run(parameters, { binary, inputs: [[{ json: {}, binary: { data } }]] });
    expect(output).toEqual([{ id: 'm9', threadId: 't1', labelIds: ['SENT'] }]);
    expect(['To', 'Cc', 'Bcc', 'From'].map(header)).toEqual([
      'a@example.com, Bob <b@example.com>',
      'c@example.com',
      'd@example.com, e@example.com',
      'Shop <me@example.com>',
    ]);
    for (const part of ['\nplain\n', '<p>rich', 'filename=a.csv']) expect(uploaded().message).toContain(part);
  });

  test.each<[JsonObject, string[]]>([
    [{}, ['Ada <ada@example.com>', 'Re: Hi', '<1@example.com>', '{"threadId":"t1"}']],
    [
      { toList: ['x@example.com'], subject: 'New', threadId: 't7' },
      ['x@example.com', 'New', '<1@example.com>', '{"threadId":"t7"}'],
    ],
  ])('answers another: %j', async (parameters, expected) => {
    await run({ resource: 'message', operation: 'reply', messageId: 'm1', message: 'Yes', ...parameters });
    expect([header('To'), header('Subject'), header('In-Reply-To'), uploaded().metadata]).toEqual(expected);
  });

  test('is read with its attachments', async () => {
    const parameters = { resource: 'message', operation: 'get', messageId: 'm1' };
    const additionalFields = { dataPropertyAttachmentsPrefixName: 'file_' };
    const [items] = await runNode(gmail, runOf({ ...parameters, additionalFields }));
    expect(items?.[0]?.json).toMatchObject({ id: 'm1', subject: 'Hi', text: 'Hello\n' });
    expect(items?.[0]?.binary).toMatchObject({ file_0: { fileName: 'a.csv' } });
    expect(await run({ ...parameters, additionalFields: { format: 'full' } })).toMatchObject([{ id: 'm1', snippet: 'Hello' }]);
    expect(sent()).toEqual(['GET /messages/m1?format=raw', 'GET /messages/m1?format=full']);
  });
});

test.each<[JsonObject, string[]]>([
  [
    { resource: 'message', limit: 1, additionalFields: { format: 'ids', q: 'x', labelIds: ['L1'], includeSpamTrash: true } },
    ['GET /messages?q=x&labelIds=L1&includeSpamTrash=true&maxResults=1'],
  ],
  [
    { resource: 'message', additionalFields: { format: 'minimal' } },
    [
      'GET /messages?maxResults=10',
      'GET /messages?maxResults=10&pageToken=p2',
      'GET /messages/m1?format=minimal',
      'GET /messages/m2?format=minimal',
    ],
  ],
  [{ resource: 'draft' }, ['GET /drafts?maxResults=10', 'GET /drafts/d1?format=raw']],
])('lists are read: %j', async (parameters, requests) => {
  await run({ operation: 'getAll', ...parameters });
  expect(sent()).toEqual(requests);
});

test.each<[JsonObject, string, JsonObject | undefined]>([
  [{ resource: 'message', operation: 'delete' }, 'DELETE /messages/m1', undefined],
  [{ resource: 'messageLabel', labelIds: ['L1'] }, 'POST /messages/m1/modify', { addLabelIds: ['L1'] }],
  [{ resource: 'messageLabel', operation: 'remove', labelIds: ['L1'] }, 'POST /messages/m1/modify', { removeLabelIds: ['L1'] }],
  [
    { resource: 'label', name: 'New', labelListVisibility: 'labelHide' },
    'POST /labels',
    { name: 'New', labelListVisibility: 'labelHide', messageListVisibility: 'show' },
  ],
  [{ resource: 'label', operation: 'delete', labelId: 'L1' }, 'DELETE /labels/L1', undefined],
  [{ resource: 'label', operation: 'get', labelId: 'L1' }, 'GET /labels/L1', undefined],
  [{ resource: 'label', operation: 'getAll' }, 'GET /labels', undefined],
  [{ operation: 'delete' }, 'DELETE /drafts/m1', undefined],
])('is one request: %j', async (parameters, request, body) => {
  await run({ messageId: 'm1', ...parameters });
  expect(sent()).toEqual([request]);
  const sentBody = server.received[0]?.body.toString() ?? '';
  expect(sentBody === '' ? undefined : JSON.parse(sentBody)).toEqual(body);
});

test('drafts are the first choice', async () => {
  const parameters = { subject: 'S', message: 'Hi', additionalFields: { toList: ['a@example.com'] } };
  expect(await run(parameters)).toMatchObject([{ id: 'd9' }]);
  expect([header('To'), uploaded().metadata]).toEqual(['a@example.com', '{}']);
  expect(await run({ operation: 'get', messageId: 'd1' })).toMatchObject([{ id: 'd1', messageId: 'm1', subject: 'Hi' }]);
});

test.each<[JsonObject, string]>([
  [{ toList: ['a@x\r\nBcc: b@x'] }, 'the parameter "toList" has a line break, which is not allowed in addresses'],
  [{ toList: [] }, 'the message has no recipient'],
])('%j is refused before a request', async (parameters, message) => {
  const failing = run({ resource: 'message', message: 'x', ...parameters });
  await expect(failing).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('a failed item does not affect the others', async () => {
  server.on('GET /gmail/v1/users/me/messages/:id', ({ count }) =>
    count === 1 ? { status: 404, json: { error: { code: 404, message: 'Not found' } } } : { json: { id: 'm1' } },
  );
  const parameters = { resource: 'message', operation: 'get', messageId: 'm1', additionalFields: { format: 'minimal' } };
  expect(await run(parameters, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'Gmail: Not found (404)' },
    { id: 'm1' },
  ]);
});
