import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject, MethodContext } from '@sluice/node-sdk';
import { type FakeRun, memoryBinary, runForJson, runNode } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { example } from './gmail.example.ts';
import { gmail } from './gmail.ts';
import { gmailServer } from './testing/gmail-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await gmailServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { gmailOAuth2: { oauthTokenData: { access_token: 'ya29' } } };
const runOf = (parameters: JsonObject, more: FakeRun = {}): FakeRun => ({
  parameters,
  http: server.http,
  credentials,
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

test('the example', async () => {
  expect(await run(example.parameters)).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual(['POST /upload/messages/send?uploadType=multipart']);
  expect(uploaded().message).toMatch(/^To: ada@example\.com\nSubject: Hi\n[\s\S]*text\/plain[\s\S]*\n\nHello\n$/);
});

describe('a message', () => {
  test('has Cc and Bcc recipients, a sender name, and files', async () => {
    const binary = memoryBinary();
    const data = await binary.store(Buffer.from('x,y'), { fileName: 'a.csv', mimeType: 'text/csv' });
    const options = {
      ccList: 'c@example.com',
      bccList: 'b@example.com',
      replyTo: 'r@example.com',
      senderName: 'The "Shop"',
      attachmentsUi: { attachmentsBinary: [{ property: 'data, data' }] },
      appendAttribution: true,
    };
    const parameters = { sendTo: 'a@example.com', subject: 'Ä\nBcc: x@example.com', message: '<p>Hi', options };
    await run(parameters, { binary, inputs: [[{ json: {}, binary: { data } }]] });
    const { message } = uploaded();
    for (const part of [
      'Cc: c@example.com\n',
      'Bcc: b@example.com\n',
      'Reply-To: r@example.com\n',
      'From: The Shop <me@example.com>\n',
      'text/html',
      'filename=a.csv',
    ])
      expect(message.replace(/ {2}/g, ' ')).toContain(part);
    expect(message.match(/^Bcc:/gm)).toHaveLength(1);
    expect(message.match(/filename=/g)).toHaveLength(1);
  });

  test.each<[JsonObject, string, string]>([
    [{}, 'Ada <ada@example.com>, Bob <bob@example.com>', 'eve@example.com'],
    [{ replyToSenderOnly: true }, 'Ada <ada@example.com>', ''],
    [{ replyToRecipientsOnly: true }, 'Bob <bob@example.com>', 'eve@example.com'],
  ])('answers in its thread: %j', async (options, to, cc) => {
    await run({ operation: 'reply', messageId: 'm1', emailType: 'text', message: 'Yes', options });
    const { message, metadata } = uploaded();
    const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(message)?.[1] ?? '';
    expect([header('To'), header('Cc'), header('Subject')]).toEqual([to, cc, 'Re: Hi']);
    expect([header('In-Reply-To'), header('References'), metadata]).toEqual([
      '<1@example.com>',
      '<1@example.com>',
      '{"threadId":"t1"}',
    ]);
  });

  test.each<[string, JsonObject]>([
    ['text/html', { sendTo: 'a@example.com' }],
    ['text/html', { operation: 'reply', messageId: 'm1' }],
    ['text/plain', { resource: 'thread', operation: 'reply', threadId: 't1' }],
    ['text/plain', { resource: 'draft', operation: 'create' }],
  ])('is %s unless the author chose a type: %j', async (type, parameters) => {
    await run({ subject: 'S', message: 'Hi', ...parameters });
    expect(uploaded().message).toContain(`Content-Type: ${type};`);
  });

  test('is read with its main headers and the names of its labels', async () => {
    expect(await run({ operation: 'get', messageId: 'm1' })).toEqual([
      {
        id: 'm1',
        threadId: 't1',
        snippet: 'Hello',
        payload: { mimeType: 'text/plain' },
        labels: [
          { id: 'INBOX', name: 'INBOX' },
          { id: 'L1', name: 'Work' },
        ],
        From: 'Ada <ada@example.com>',
        To: '"Me, Myself" <me@example.com>, Bob <bob@example.com>',
        Cc: 'eve@example.com',
        Subject: 'Hi',
      },
    ]);
  });

  test('is read as a whole, with its attachments', async () => {
    const parameters = { operation: 'get', messageId: 'm1', simple: false, options: { downloadAttachments: true } };
    const [items] = await runNode(gmail, runOf(parameters));
    const [item] = items ?? [];
    expect(item?.json).toMatchObject({
      id: 'm1',
      subject: 'Hi',
      text: 'Hello\n',
      from: { value: [{ name: 'Ada', address: 'ada@example.com' }] },
    });
    expect(item?.binary).toMatchObject({ attachment_0: { fileName: 'a.csv', mimeType: 'text/csv' } });
  });
});

test.each<[JsonObject, string]>([
  [{}, '/messages?maxResults=50'],
  [
    {
      limit: 5,
      filters: {
        q: 'report',
        labelIds: ['INBOX', 'L1'],
        readStatus: 'unread',
        sender: 'ada',
        receivedAfter: '2026-01-01T00:00:00Z',
        receivedBefore: '1800000000',
        includeSpamTrash: true,
      },
    },
    '/messages?q=report is:unread from:ada after:1767225600 before:1800000000&labelIds=INBOX&labelIds=L1&includeSpamTrash=true&maxResults=5',
  ],
])('messages are found by %j', async (parameters, url) => {
  expect(await run({ operation: 'getAll', ...parameters })).toHaveLength(2);
  expect(decodeURIComponent(sent()[0]?.replaceAll('+', ' ') ?? '')).toBe(`GET ${url}`);
});

test('a filter time without an offset is in the time zone of the workflow', async () => {
  const parameters = { operation: 'getAll', filters: { receivedAfter: '2026-01-01T00:00:00' } };
  await runNode(gmail, runOf(parameters, { timezone: 'America/New_York' }));
  expect(sent()[0]).toContain('after%3A1767243600');
});

test('lists are read to their end, or to the limit', async () => {
  expect(await run({ operation: 'getAll', returnAll: true })).toHaveLength(2);
  expect(await run({ operation: 'getAll', limit: 1 })).toHaveLength(1);
});

test.each<[JsonObject, string, JsonObject | undefined]>([
  [{ operation: 'addLabels', labelIds: ['L1', 'L2'] }, 'POST /messages/m1/modify', { addLabelIds: ['L1', 'L2'] }],
  [{ operation: 'removeLabels', labelIds: 'L1' }, 'POST /messages/m1/modify', { removeLabelIds: ['L1'] }],
  [{ operation: 'markAsRead' }, 'POST /messages/m1/modify', { removeLabelIds: ['UNREAD'] }],
  [{ operation: 'markAsUnread' }, 'POST /messages/m1/modify', { addLabelIds: ['UNREAD'] }],
  [{ operation: 'delete' }, 'DELETE /messages/m1', undefined],
  [{ resource: 'thread', operation: 'addLabels', labelIds: ['L1'] }, 'POST /threads/t1/modify', { addLabelIds: ['L1'] }],
  [{ resource: 'thread', operation: 'removeLabels', labelIds: ['L1'] }, 'POST /threads/t1/modify', { removeLabelIds: ['L1'] }],
  [{ resource: 'thread', operation: 'trash' }, 'POST /threads/t1/trash', undefined],
  [{ resource: 'thread', operation: 'untrash' }, 'POST /threads/t1/untrash', undefined],
  [{ resource: 'thread', operation: 'delete' }, 'DELETE /threads/t1', undefined],
  [{ resource: 'thread', operation: 'getAll', limit: 2 }, 'GET /threads?maxResults=2', undefined],
  [
    { resource: 'label', operation: 'create', name: 'New', options: { labelListVisibility: 'labelHide' } },
    'POST /labels',
    { name: 'New', labelListVisibility: 'labelHide' },
  ],
  [{ resource: 'label', operation: 'get', labelId: 'L1' }, 'GET /labels/L1', undefined],
  [{ resource: 'label', operation: 'delete', labelId: 'L1' }, 'DELETE /labels/L1', undefined],
  [{ resource: 'label', operation: 'getAll' }, 'GET /labels', undefined],
  [{ resource: 'draft', operation: 'delete' }, 'DELETE /drafts/m1', undefined],
])('is one request: %j', async (parameters, request, body) => {
  await run({ messageId: 'm1', threadId: 't1', ...parameters });
  expect(sent()).toEqual([request]);
  const sentBody = server.received[0]?.body.toString() ?? '';
  expect(sentBody === '' ? undefined : JSON.parse(sentBody)).toEqual(body);
});

test('a draft answers the last message of its thread', async () => {
  const options = { sendTo: 'a@example.com', threadId: 't1', fromAlias: 'alias@example.com' };
  expect(await run({ resource: 'draft', subject: 'S', message: 'Hi', options })).toMatchObject([{ id: 'd9' }]);
  const { message, metadata } = uploaded();
  expect(metadata).toBe('{"message":{"threadId":"t1"}}');
  for (const line of ['To: a@example.com', 'From: alias@example.com', 'In-Reply-To: <1@example.com>'])
    expect(message).toContain(`${line}\n`);
});

test('drafts are read with the ID of their message', async () => {
  const expected = [{ id: 'd1', messageId: 'm1', subject: 'Hi' }];
  expect(await run({ resource: 'draft', operation: 'get', messageId: 'd1' })).toMatchObject(expected);
  expect(await run({ resource: 'draft', operation: 'getAll' })).toMatchObject(expected);
});

test('drafts in spam and trash are listed if the node includes them', async () => {
  await run({ resource: 'draft', operation: 'getAll', options: { includeSpamTrash: true } });
  expect(sent()[0]).toBe('GET /drafts?includeSpamTrash=true&maxResults=50');
});

test('messages whose total size is too large are rejected', async () => {
  const snippet = 'x'.repeat(7_000_000);
  server.on('GET /gmail/v1/users/me/messages', () => ({
    json: { messages: Array.from({ length: 11 }, (_, n) => ({ id: `m${n}` })) },
  }));
  server.on('GET /gmail/v1/users/me/messages/:id', ({ params }) => ({ json: { id: params['id'], snippet } }));
  await expect(run({ operation: 'getAll' })).rejects.toMatchObject({ code: 'RESULT_TOO_LARGE' });
});

test('a thread is read with its messages, or as its messages, and answered', async () => {
  const parameters = { resource: 'thread', operation: 'get', threadId: 't1' };
  expect(await run(parameters)).toMatchObject([{ id: 't1', messages: [{ id: 'm1', Subject: 'Hi' }, { id: 'm2' }] }]);
  const all = { ...parameters, simple: false, options: { returnOnlyMessages: true } };
  expect(await run(all)).toMatchObject([{ id: 'm1', labelIds: ['INBOX', 'L1'] }, { id: 'm2' }]);
  await run({ resource: 'thread', operation: 'reply', threadId: 't1', message: 'Yes' });
  expect(sent().slice(-4)).toMatchObject([
    'GET /threads/t1?format=minimal',
    expect.stringMatching(/^GET \/messages\/m2\?/),
    'GET /profile',
    expect.stringMatching(/^POST \/upload/),
  ]);
});

test.each<[JsonObject, string]>([
  [{ sendTo: 'a@x\r\nBcc: b@x', message: 'x' }, 'the parameter "sendTo" has a line break, which is not allowed in addresses'],
  [{ sendTo: '', message: 'x' }, 'the parameter "sendTo" is required'],
  [{ operation: 'getAll', filters: { receivedAfter: 'soon' } }, 'the parameter "filters.receivedAfter" is not a date'],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('an error includes the reason from Google; a failed item does not affect the others', async () => {
  server.on('GET /gmail/v1/users/me/messages/:id', ({ count }) =>
    count === 1
      ? { status: 404, json: { error: { code: 404, message: 'Not found', errors: [{ reason: 'notFound' }] } } }
      : { json: { id: 'm1' } },
  );
  const output = await run({ operation: 'get', messageId: 'm1' }, { json: [{}, {}], continueOnFail: true });
  expect(output).toEqual([{ error: 'Gmail: Not found (notFound)' }, { id: 'm1', payload: { mimeType: null }, labels: [] }]);
});

test('a request over the quota is retried', async () => {
  server.on('GET /gmail/v1/users/me/labels/:id', ({ count }) =>
    count === 1
      ? {
          status: 403,
          headers: { 'retry-after': '0' },
          json: { error: { errors: [{ reason: 'rateLimitExceeded' }], message: 'Quota' } },
        }
      : { json: { id: 'L1' } },
  );
  expect(await run({ resource: 'label', operation: 'get', labelId: 'L1' })).toEqual([{ id: 'L1' }]);
});

test('labels can be chosen', async () => {
  const context: MethodContext = webhookContext({ http: server.http, credentials });
  expect(await gmail.methods?.loadOptions?.['getLabels']?.(context)).toEqual([
    { name: 'INBOX', value: 'INBOX' },
    { name: 'Work', value: 'L1' },
  ]);
});

test('a question has links that open the execution page', async () => {
  let waits = false;
  const parameters = { operation: 'sendAndWait', sendTo: 'a@example.com', subject: 'Order\n7', message: 'Ship it?' };
  await run(parameters, { suspended: () => (waits = true) });
  expect(waits).toBe(true);
  const { message } = uploaded();
  expect(message).toContain('To: a@example.com\nSubject: Order 7\n');
  expect(message.replaceAll('=\n', '')).toContain('https://me.example/form-waiting/1/token');
});
