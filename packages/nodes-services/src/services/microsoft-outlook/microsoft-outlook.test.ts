import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { checkParameters, type JsonObject, type JsonValue, type MethodContext } from '@sluice/node-sdk';
import { type FakeRun, memoryBinary, runForJson, runNode } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { example } from './microsoft-outlook.example.ts';
import { microsoftOutlook } from './microsoft-outlook.ts';
import { outlookServer } from './testing/outlook-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await outlookServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const connected = { clientId: 'c', clientSecret: 's', oauthTokenData: { access_token: 't' } };
const credentials = { microsoftOutlookOAuth2Api: connected };
const runOf = (parameters: JsonObject, more: FakeRun = {}): FakeRun => ({
  parameters,
  http: server.http,
  credentials,
  typeVersion: 2,
  ...more,
});
const sent = () =>
  server.received.map(({ method, url, body }): [string, JsonValue] => [
    `${method} ${decodeURIComponent(url.replace('/v1.0/me', '').replaceAll('+', ' '))}`,
    body.length > 0 ? JSON.parse(body.toString()) : null,
  ]);
const at = (mode: string, value: string) => ({ __rl: true, mode, value });
const to = (...addresses: string[]) => addresses.map((address) => ({ emailAddress: { address } }));
const simple = '$select=id,conversationId,subject,bodyPreview,from,toRecipients,categories,hasAttachments';
const mail = { toRecipients: 'a@example.com, b@example.com', subject: 'Hi', bodyContent: 'Hello' };
const written = {
  subject: 'Hi',
  body: { contentType: 'html', content: 'Hello' },
  toRecipients: to('a@example.com', 'b@example.com'),
};

test.each<[JsonObject, [string, JsonValue][]]>([
  [
    { operation: 'getAll', additionalFields: { filter: 'isRead eq false' } },
    [['GET /messages?$filter=isRead eq false&$top=100', null]],
  ],
  [
    {
      resource: 'folderMessage',
      operation: 'getAll',
      folderId: 'f1',
      returnAll: true,
      additionalFields: { filter: 'isRead eq false' },
    },
    [['GET /mailFolders/f1/messages?$filter=isRead eq false&$top=100', null]],
  ],
  [
    { resource: 'draft', operation: 'send', messageId: 'd1', additionalFields: { recipients: 'a@example.com' } },
    [
      ['PATCH /messages/d1', { toRecipients: to('a@example.com') }],
      ['POST /messages/d1/send', null],
    ],
  ],
  [{ resource: 'draft', operation: 'delete', messageId: 'd1' }, [['DELETE /messages/d1', null]]],
])('version 1 of %j sends %j', async (parameters, requests) => {
  expect(checkParameters(microsoftOutlook, parameters, 1)).toEqual([]);
  await runNode(microsoftOutlook, runOf(parameters, { typeVersion: 1 }));
  expect(sent()).toEqual(requests);
});

test('version 1 returns messages as Microsoft Graph does', async () => {
  const [item] = await runForJson(microsoftOutlook, runOf({ operation: 'getAll' }, { typeVersion: 1 }));
  expect(item).toMatchObject({ from: { emailAddress: {} } });
});

test('version 1 names an attachment', async () => {
  const binary = memoryBinary();
  const data = await binary.store(Buffer.from('x'), { fileName: 'a.txt', mimeType: 'text/plain' });
  const parameters = {
    resource: 'messageAttachment',
    operation: 'add',
    messageId: 'm1',
    additionalFields: { fileName: 'n8n.png' },
  };
  expect(checkParameters(microsoftOutlook, parameters, 1)).toEqual([]);
  await runNode(microsoftOutlook, runOf(parameters, { typeVersion: 1, binary, inputs: [[{ json: {}, binary: { data } }]] }));
  expect(sent()[0]?.[1]).toMatchObject({ name: 'n8n.png' });
});

const filters = (values: JsonObject) => ({ filtersUI: { values } });

test.each<[JsonObject, [string, JsonValue][]]>([
  [mail, [['POST /sendMail', { message: written, saveToSentItems: true }]]],
  [
    {
      ...mail,
      additionalFields: {
        bodyContentType: 'Text',
        ccRecipients: 'c@example.com',
        importance: 'High',
        categories: ['Red'],
        from: 'me@example.com',
        internetMessageHeaders: { headers: [{ name: 'x-a', value: 'b' }] },
        saveToSentItems: false,
      },
    },
    [
      [
        'POST /sendMail',
        {
          message: {
            importance: 'High',
            subject: 'Hi',
            ccRecipients: to('c@example.com'),
            toRecipients: written.toRecipients,
            body: { contentType: 'Text', content: 'Hello' },
            categories: ['Red'],
            from: { emailAddress: { address: 'me@example.com' } },
            internetMessageHeaders: [{ name: 'x-a', value: 'b' }],
          },
          saveToSentItems: false,
        },
      ],
    ],
  ],
  [{ operation: 'get', messageId: at('id', 'm1') }, [[`GET /messages/m1?${simple}`, null]]],
  [
    { operation: 'get', messageId: at('url', 'https://outlook.office365.com/owa/?ItemID=m%2F1%3D&x=1'), output: 'raw' },
    [['GET /messages/m/1=', null]],
  ],
  [
    { operation: 'get', messageId: 'm1', output: 'fields', fields: ['subject', 'body'] },
    [['GET /messages/m1?$select=id,subject,body', null]],
  ],
  [{ operation: 'getAll', limit: 5 }, [[`GET /messages?${simple}&$top=5`, null]]],
  [
    { operation: 'getAll', output: 'raw', ...filters({ filterBy: 'search', search: 'from:"ada"' }) },
    [['GET /messages?$search="from: ada "&$top=100', null]],
  ],
  [
    {
      operation: 'getAll',
      output: 'raw',
      ...filters({
        filters: {
          custom: "startswith(subject,'A')",
          hasAttachments: true,
          foldersToInclude: ['f1', 'f2'],
          foldersToExclude: ['f3'],
          readStatus: 'unread',
          receivedAfter: '2026-01-02T00:00:00Z',
          receivedBefore: '2026-02-02T00:00:00Z',
          sender: "o'neil@example.com",
        },
      }),
    },
    [
      [
        "GET /messages?$filter=(startswith(subject,'A')) and hasAttachments eq true and (parentFolderId eq 'f1' or parentFolderId eq 'f2') and parentFolderId ne 'f3' and isRead eq false and receivedDateTime ge 2026-01-02T00:00:00.000Z and receivedDateTime le 2026-02-02T00:00:00.000Z and (from/emailAddress/address eq 'o''neil@example.com' or from/emailAddress/name eq 'o''neil@example.com')&$top=100",
        null,
      ],
    ],
  ],
  [{ operation: 'move', messageId: 'm1', folderId: at('id', 'f1') }, [['POST /messages/m1/move', { destinationId: 'f1' }]]],
  [{ operation: 'delete', messageId: 'm1' }, [['DELETE /messages/m1', null]]],
  [
    { operation: 'update', messageId: 'm1', updateFields: { isRead: true, categories: 'Red, Blue' } },
    [['PATCH /messages/m1', { isRead: true, categories: ['Red', 'Blue'] }]],
  ],
  [
    { operation: 'reply', messageId: 'm1', message: 'Yes', replyToSenderOnly: true },
    [
      ['POST /messages/m1/createReply', { comment: 'Yes' }],
      ['POST /messages/r1/send', null],
    ],
  ],
  [
    {
      operation: 'reply',
      messageId: 'm1',
      message: 'Yes',
      additionalFields: { ccRecipients: 'c@example.com', bodyContentType: 'html' },
    },
    [
      ['POST /messages/m1/createReplyAll', { comment: 'Yes' }],
      ['PATCH /messages/r1', { ccRecipients: to('c@example.com') }],
      ['POST /messages/r1/send', null],
    ],
  ],
  [
    { operation: 'reply', messageId: 'm1', message: 'Yes', options: { saveAsDraft: true } },
    [['POST /messages/m1/createReplyAll', { comment: 'Yes' }]],
  ],
  [
    { resource: 'draft', subject: 'Hi', bodyContent: 'Hello', additionalFields: { toRecipients: mail.toRecipients } },
    [['POST /messages', written]],
  ],
  [{ resource: 'draft', operation: 'get', draftId: 'd1' }, [['GET /messages/d1', null]]],
  [{ resource: 'draft', operation: 'delete', draftId: 'd1' }, [['DELETE /messages/d1', null]]],
  [
    { resource: 'draft', operation: 'update', draftId: 'd1', updateFields: { subject: 'New', bodyContent: 'B' } },
    [['PATCH /messages/d1', { subject: 'New', body: { contentType: 'html', content: 'B' } }]],
  ],
  [
    { resource: 'draft', operation: 'send', draftId: at('id', 'd1'), to: 'a@example.com' },
    [
      ['PATCH /messages/d1', { toRecipients: to('a@example.com') }],
      ['POST /messages/d1/send', null],
    ],
  ],
  [{ resource: 'folder', displayName: 'New' }, [['POST /mailFolders', { displayName: 'New' }]]],
  [
    { resource: 'folder', displayName: 'New', options: { folderId: 'f1' } },
    [['POST /mailFolders/f1/childFolders', { displayName: 'New' }]],
  ],
  [{ resource: 'folder', operation: 'get', folderId: 'f1' }, [['GET /mailFolders/f1', null]]],
  [{ resource: 'folder', operation: 'delete', folderId: 'f1' }, [['DELETE /mailFolders/f1', null]]],
  [
    { resource: 'folder', operation: 'update', folderId: 'f1', displayName: 'N' },
    [['PATCH /mailFolders/f1', { displayName: 'N' }]],
  ],
  [
    { resource: 'folder', operation: 'getAll', returnAll: true, options: { includeChildFolders: true } },
    [
      ['GET /mailFolders?$top=100', null],
      ['GET /mailFolders/f1/childFolders?$top=100', null],
    ],
  ],
  [
    { resource: 'folderMessage', folderId: at('list', 'f1'), limit: 3, output: 'raw' },
    [['GET /mailFolders/f1/messages?$top=3', null]],
  ],
  [
    { resource: 'messageAttachment', operation: 'getAll', messageId: 'm1' },
    [['GET /messages/m1/attachments?$select=id,name,contentType,size,isInline&$top=100', null]],
  ],
  [
    { resource: 'messageAttachment', operation: 'get', messageId: 'm1', attachmentId: 'a1' },
    [['GET /messages/m1/attachments/a1?$select=id,name,contentType,size,isInline', null]],
  ],
  [{ resource: 'calendar' }, [['GET /calendars?$top=100', null]]],
  [{ resource: 'calendar', operation: 'get', calendarId: 'k1' }, [['GET /calendars/k1', null]]],
  [{ resource: 'event', calendarId: at('list', 'k1') }, [['GET /calendars/k1/events?$top=100', null]]],
  [
    {
      resource: 'event',
      operation: 'create',
      calendarId: 'k1',
      subject: 'Talk',
      startDateTime: '2026-01-02T09:00:00',
      endDateTime: '2026-01-02T11:00:00+01:00',
      additionalFields: { attendees: 'a@example.com', location: 'Here', body: 'B', timeZone: 'Europe/Berlin', showAs: 'busy' },
    },
    [
      [
        'POST /calendars/k1/events',
        {
          showAs: 'busy',
          subject: 'Talk',
          start: { dateTime: '2026-01-02T09:00:00', timeZone: 'Europe/Berlin' },
          end: { dateTime: '2026-01-02T10:00:00.000', timeZone: 'UTC' },
          body: { contentType: 'html', content: 'B' },
          location: { displayName: 'Here' },
          attendees: to('a@example.com'),
        },
      ],
    ],
  ],
  [
    { resource: 'event', operation: 'update', eventId: 'e1', additionalFields: { subject: 'New' } },
    [['PATCH /events/e1', { subject: 'New' }]],
  ],
  [{ resource: 'event', operation: 'get', eventId: 'e1' }, [['GET /events/e1', null]]],
  [{ resource: 'event', operation: 'delete', eventId: 'e1' }, [['DELETE /events/e1', null]]],
])('%j sends %j', async (parameters, expected) => {
  expect(await runForJson(microsoftOutlook, runOf(parameters))).not.toEqual([]);
  expect(sent()).toEqual(expected);
});

test('the example sends a message', async () => {
  expect(await runForJson(microsoftOutlook, runOf(example.parameters))).toEqual(example.outputs?.[0]);
});

test('simplified messages have addresses', async () => {
  expect(await runForJson(microsoftOutlook, runOf({ operation: 'get', messageId: 'm1' }))).toEqual([
    {
      id: 'm1',
      conversationId: 'c1',
      subject: 'Hi',
      bodyPreview: 'Hello',
      from: 'ada@example.com',
      to: ['me@example.com'],
      categories: [],
      hasAttachments: true,
    },
  ]);
});

async function withFile(parameters: JsonObject): Promise<void> {
  const binary = memoryBinary();
  const data = await binary.store(Buffer.from('bytes'), { fileName: 'a.txt', mimeType: 'text/plain' });
  await runForJson(microsoftOutlook, runOf(parameters, { binary, inputs: [[{ json: {}, binary: { data } }]] }));
}
const attached = {
  '@odata.type': '#microsoft.graph.fileAttachment',
  name: 'a.txt',
  contentType: 'text/plain',
  contentBytes: Buffer.from('bytes').toString('base64'),
};
const files = { attachments: { attachments: [{ binaryPropertyName: 'data' }] } };

test('files of the item are attached', async () => {
  await withFile({ ...mail, additionalFields: files });
  expect(sent()).toEqual([['POST /sendMail', { message: { ...written, attachments: [attached] }, saveToSentItems: true }]]);
});

test('files are attached to a reply and to a draft', async () => {
  await withFile({ operation: 'reply', messageId: 'm1', message: 'Yes', additionalFields: files });
  expect(sent()[1]).toEqual(['POST /messages/r1/attachments', attached]);
  await withFile({ resource: 'messageAttachment', messageId: 'd1', options: { fileName: 'b.txt' } });
  expect(sent().at(-1)).toEqual(['POST /messages/d1/attachments', { ...attached, name: 'b.txt' }]);
});

test.each<[JsonObject, string]>([
  [
    { resource: 'messageAttachment', operation: 'download', messageId: 'm1', attachmentId: 'a1', binaryPropertyName: 'file' },
    'file',
  ],
  [{ operation: 'get', messageId: 'm1', options: { downloadAttachments: true } }, 'attachment_0'],
  [{ operation: 'getAll', options: { downloadAttachments: true, attachmentsPrefix: 'f' } }, 'f0'],
])('%j downloads attachments', async (parameters, property) => {
  const binary = memoryBinary();
  const [items] = await runNode(microsoftOutlook, runOf(parameters, { binary }));
  const file = items?.[0]?.binary?.[property];
  expect(file).toMatchObject({ fileName: 'a.txt', mimeType: 'text/plain' });
  expect(Buffer.from(await binary.read(file as never)).toString()).toBe('bytes');
});

test('a question has links that open the execution page', async () => {
  let waits = false;
  const parameters = { operation: 'sendAndWait', toRecipients: 'a@example.com', subject: 'Order', message: 'Ship it?' };
  await runNode(microsoftOutlook, runOf(parameters, { suspended: () => (waits = true) }));
  const content = expect.stringContaining('https://me.example/form-waiting/1/token');
  expect(waits).toBe(true);
  expect(sent()).toMatchObject([['POST /sendMail', { message: { subject: 'Order', body: { contentType: 'html', content } } }]]);
});

test('a list is read to its end', async () => {
  const next = 'https://graph.microsoft.com/v1.0/me/messages?$skip=1';
  server.on('GET /v1.0/me/messages', ({ query }) => ({
    json: query['$skip'] ? { value: [{ id: '2' }] } : { value: [{ id: '1' }], '@odata.nextLink': next },
  }));
  const run = runOf({ operation: 'getAll', returnAll: true, output: 'raw' });
  expect(await runForJson(microsoftOutlook, run)).toEqual([{ id: '1' }, { id: '2' }]);
});

test('a shared mailbox is accessed through its user', async () => {
  const shared = { ...connected, useShared: true, userPrincipalName: 'team@example.com' };
  await runForJson(microsoftOutlook, runOf(mail, { credentials: { microsoftOutlookOAuth2Api: shared } }));
  expect(server.received[0]?.url).toBe('/v1.0/users/team%40example.com/sendMail');
});

const refusal = { status: 404, json: { error: { code: 'ErrorItemNotFound', message: 'The specified object was not found.' } } };

test('an error includes text, code, and a hint', async () => {
  server.on('POST /v1.0/me/sendMail', () => refusal);
  await expect(runNode(microsoftOutlook, runOf(mail))).rejects.toMatchObject({
    message: 'Microsoft Outlook: The specified object was not found. (ErrorItemNotFound)',
    description: expect.stringContaining('new one when it is moved'),
    itemIndex: 0,
  });
});

test('only the failed item has an error if the node continues', async () => {
  server.on('POST /v1.0/me/sendMail', ({ count }) => (count === 1 ? refusal : { status: 202 }));
  expect(await runForJson(microsoftOutlook, runOf(mail, { json: [{}, {}], continueOnFail: true }))).toEqual([
    { error: 'Microsoft Outlook: The specified object was not found. (ErrorItemNotFound)' },
    { success: true },
  ]);
});

test('a rate-limited request is retried', async () => {
  server.on('POST /v1.0/me/sendMail', ({ count }) =>
    count === 1 ? { status: 429, headers: { 'retry-after': '0' } } : { status: 202 },
  );
  expect(await runForJson(microsoftOutlook, runOf(mail))).toEqual([{ success: true }]);
});

test('attachments of all pages are downloaded', async () => {
  const next = 'https://graph.microsoft.com/v1.0/me/messages/m1/attachments?$skip=1';
  server.on('GET /v1.0/me/messages/:id/attachments', ({ query }) => ({
    json: query['$skip'] ? { value: [{ id: 'a2' }] } : { value: [{ id: 'a1' }], '@odata.nextLink': next },
  }));
  const options = { downloadAttachments: true };
  const [items] = await runNode(microsoftOutlook, runOf({ operation: 'get', messageId: 'm1', options }));
  expect(Object.keys(items?.[0]?.binary ?? {})).toEqual(['attachment_0', 'attachment_1']);
});

test('attachments of more than 3 MB are rejected before a request', async () => {
  const binary = memoryBinary();
  const data = await binary.store(Buffer.alloc(3_000_001), { fileName: 'a.bin' });
  const run = runOf({ ...mail, additionalFields: files }, { binary, inputs: [[{ json: {}, binary: { data } }]] });
  await expect(runNode(microsoftOutlook, run)).rejects.toThrow('the attachments are larger than 3 MB');
  expect(server.received).toEqual([]);
});

test('folders, calendars, and categories are listed', async () => {
  const context: MethodContext = webhookContext({ http: server.http, credentials, typeVersion: 2 });
  const { listSearch = {}, loadOptions = {} } = microsoftOutlook.methods ?? {};
  expect(await listSearch['searchFolders']?.(context, 'in')).toEqual({ results: [{ name: 'Inbox', value: 'f1' }] });
  expect(await listSearch['searchCalendars']?.(context, 'x')).toEqual({ results: [] });
  expect(await loadOptions['getCategories']?.(context)).toEqual([{ name: 'Red', value: 'Red' }]);
});
