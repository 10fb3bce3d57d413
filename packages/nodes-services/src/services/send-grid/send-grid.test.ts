import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue, MethodContext } from '@sluice/node-sdk';
import { type FakeRun, memoryBinary, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { example } from './send-grid.example.ts';
import { sendGrid } from './send-grid.ts';
import { sendGridServer } from './testing/send-grid-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await sendGridServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { sendGridApi: { apiKey: 'k1' } };
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(sendGrid, { parameters, http: server.http, credentials, ...more });
const sent = () =>
  server.received.map(({ method, url, body }): JsonValue[] => [
    `${method} ${url.replace('/v3', '')}`,
    body.length > 0 ? JSON.parse(body.toString()) : null,
  ]);
const mail = {
  resource: 'mail',
  fromEmail: 'shop@example.com',
  toEmail: 'ada@example.com, bob@example.com',
  subject: 'Hi',
  contentValue: 'Hello',
};
const message = {
  personalizations: [{ to: [{ email: 'ada@example.com' }, { email: 'bob@example.com' }] }],
  from: { email: 'shop@example.com' },
  subject: 'Hi',
  content: [{ type: 'text/plain', value: 'Hello' }],
};
const contact = { resource: 'contact' };
const list = { resource: 'list' };

test('the example', async () => {
  const own = { toEmail: 'ada@example.com', contentValue: 'Hello Ada, your order is on its way.' };
  expect(await run({ ...example.parameters, ...own })).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual([
    [
      'POST /mail/send',
      {
        personalizations: [{ to: [{ email: 'ada@example.com' }] }],
        from: { email: 'shop@example.com', name: 'Shop' },
        subject: 'Your order',
        content: [{ type: 'text/plain', value: own.contentValue }],
      },
    ],
  ]);
});

test.each<[JsonObject, string, JsonValue]>([
  [
    {
      ...mail,
      contentType: 'text/html',
      additionalFields: {
        bccEmail: 'b@example.com',
        ccEmail: 'c@example.com,d@example.com',
        replyToEmail: 'r@example.com',
        categories: 'orders, new',
        enableSandbox: true,
        headers: { details: [{ key: 'X-Order', value: '7' }] },
        ipPoolName: 'pool',
        sendAt: '2026-02-01T00:00:00Z',
      },
    },
    'POST /mail/send',
    {
      ...message,
      personalizations: [
        {
          to: message.personalizations[0]?.to as JsonValue,
          cc: [{ email: 'c@example.com' }, { email: 'd@example.com' }],
          bcc: [{ email: 'b@example.com' }],
        },
      ],
      content: [{ type: 'text/html', value: 'Hello' }],
      reply_to_list: [{ email: 'r@example.com' }],
      categories: ['orders', 'new'],
      headers: { 'X-Order': '7' },
      ip_pool_name: 'pool',
      send_at: 1_769_904_000,
      mail_settings: { sandbox_mode: { enable: true } },
    },
  ],
  [
    {
      ...mail,
      dynamicTemplate: true,
      templateId: 'd-1',
      dynamicTemplateFields: { fields: [{ key: 'name', value: 'Ada' }] },
    },
    'POST /mail/send',
    {
      personalizations: [{ ...message.personalizations[0], dynamic_template_data: { name: 'Ada' } }] as JsonValue,
      from: message.from,
      template_id: 'd-1',
    },
  ],
  [
    { ...contact, email: 'ada@example.com', additionalFields: { firstName: 'Ada' } },
    'PUT /marketing/contacts',
    { contacts: [{ email: 'ada@example.com', first_name: 'Ada' }] },
  ],
  [
    {
      ...contact,
      email: 'ada@example.com',
      additionalFields: {
        lastName: 'L',
        addressUi: { addressValues: { address1: 'Street 1', address2: '2nd floor' } },
        alternateEmails: 'a@example.com, b@example.com',
        city: 'London',
        country: 'UK',
        phoneNumber: '1',
        postalCode: 'N1',
        stateProvinceRegion: 'R',
        customFieldsUi: { customFieldValues: [{ fieldId: 'e1_T', fieldValue: 'pro' }] },
        listIdsUi: { listIdValues: { listIds: ['l1', 'l2'] } },
      },
    },
    'PUT /marketing/contacts',
    {
      list_ids: ['l1', 'l2'],
      contacts: [
        {
          email: 'ada@example.com',
          city: 'London',
          country: 'UK',
          last_name: 'L',
          phone_number: '1',
          postal_code: 'N1',
          state_province_region: 'R',
          address_line_1: 'Street 1',
          address_line_2: '2nd floor',
          alternate_emails: ['a@example.com', 'b@example.com'],
          custom_fields: { e1_T: 'pro' },
        },
      ],
    },
  ],
  [{ ...contact, operation: 'delete', ids: 'c1, c2' }, 'DELETE /marketing/contacts?ids=c1%2Cc2', null],
  [{ ...contact, operation: 'delete', deleteAll: true }, 'DELETE /marketing/contacts?delete_all_contacts=true', null],
  [{ ...contact, operation: 'get', contactId: 'c1' }, 'GET /marketing/contacts/c1', null],
  [{ ...list, name: 'L' }, 'POST /marketing/lists', { name: 'L' }],
  [{ ...list, operation: 'get', listId: 'l1' }, 'GET /marketing/lists/l1', null],
  [{ operation: 'get', listId: 'l1', contactSample: true }, 'GET /marketing/lists/l1?contact_sample=true', null],
  [{ ...list, operation: 'update', listId: 'l1', name: 'M' }, 'PATCH /marketing/lists/l1', { name: 'M' }],
  [{ ...list, operation: 'delete', listId: 'l1' }, 'DELETE /marketing/lists/l1', null],
  [
    { ...list, operation: 'delete', listId: 'l1', deleteContacts: true },
    'DELETE /marketing/lists/l1?delete_contacts=true',
    null,
  ],
])('%j is one request', async (parameters, request, body) => {
  expect(await run(parameters)).toHaveLength(1);
  expect(sent()).toEqual([[request, body]]);
});

test('a contact is found by its email address', async () => {
  expect(await run({ ...contact, operation: 'get', by: 'email', email: 'Ada@example.com' })).toEqual([
    { id: 'c1', email: 'ada@example.com' },
  ]);
  expect(sent()).toEqual([['POST /marketing/contacts/search/emails', { emails: ['Ada@example.com'] }]]);
});

test('contacts are the latest contacts, or the contacts that match a query', async () => {
  const getAll = { ...contact, operation: 'getAll' };
  expect(await run({ ...getAll, returnAll: true })).toEqual([{ id: 'c1' }, { id: 'c2' }]);
  expect(await run({ ...getAll, limit: 1 })).toEqual([{ id: 'c1' }]);
  expect(await run({ ...getAll, filters: { query: "email LIKE 'a%'" } })).toEqual([{ id: 'c2' }]);
  expect(sent().at(-1)).toEqual(['POST /marketing/contacts/search', { query: "email LIKE 'a%'" }]);
});

test('lists are read to their end, or to the limit', async () => {
  expect(await run({ ...list, operation: 'getAll', returnAll: true })).toHaveLength(2);
  expect(await run({ ...list, operation: 'getAll', limit: 1 })).toHaveLength(1);
  expect(sent().map(([request]) => request)).toEqual([
    'GET /marketing/lists?page_size=100',
    'GET /marketing/lists?page_size=100&page_token=p%3D2',
    'GET /marketing/lists?page_size=1',
  ]);
});

test('files are attached up to 22 MB', async () => {
  const binary = memoryBinary();
  const small = await binary.store(Buffer.from('Hello'), { fileName: 'a.txt', mimeType: 'text/plain' });
  const big = { ...(await binary.store(Buffer.from('x'), { mimeType: 'text/plain' })), fileSize: 22_000_001 };
  const inputs = [[{ json: {}, binary: { small, big } }]];
  await run({ ...mail, additionalFields: { attachments: 'small' } }, { binary, inputs });
  expect(sent()[0]?.[1]).toEqual({
    ...message,
    attachments: [{ content: 'SGVsbG8=', filename: 'a.txt', type: 'text/plain' }],
  });
  await expect(run({ ...mail, additionalFields: { attachments: 'small,big' } }, { binary, inputs })).rejects.toThrow(
    'the attachments are larger than 22 MB',
  );
});

test.each<[JsonObject, string]>([
  [{ ...mail, toEmail: ' , ' }, 'the parameter "toEmail" is required'],
  [{ ...mail, fromEmail: '' }, 'the parameter "fromEmail" is required'],
  [{ ...contact, operation: 'delete', ids: '' }, 'the parameter "ids" is required'],
  [{ ...mail, additionalFields: { sendAt: 'soon' } }, 'the parameter "additionalFields.sendAt" is not a date'],
])('%j is refused before a request', async (parameters, text) => {
  await expect(run(parameters)).rejects.toMatchObject({ message: text, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('an error includes the field and text from SendGrid; a failed item does not affect the others', async () => {
  server.on('POST /v3/mail/send', ({ count }) =>
    count === 1
      ? { status: 400, json: { errors: [{ message: 'Does not contain a valid address.', field: 'from.email', help: null }] } }
      : { status: 202, headers: { 'x-message-id': 'm2' } },
  );
  expect(await run(mail, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'SendGrid: Does not contain a valid address. (from.email)' },
    { messageId: 'm2' },
  ]);
});

test('a request over the rate limit is retried', async () => {
  server.on('GET /v3/marketing/lists/:id', ({ count }) =>
    count === 1 ? { status: 429, headers: { 'retry-after': '0' }, json: { errors: [] } } : { json: { id: 'l1' } },
  );
  expect(await run({ ...list, operation: 'get', listId: 'l1' })).toEqual([{ id: 'l1' }]);
});

test.each<[string, JsonValue]>([
  [
    'getListIds',
    [
      { name: 'One', value: 'l1' },
      { name: 'Two', value: 'l2' },
    ],
  ],
  ['getTemplateIds', [{ name: 'Welcome', value: 'd-1' }]],
  ['getCustomFields', [{ name: 'Plan', value: 'e1_T' }]],
])('editors choose by name: %s', async (method, choices) => {
  const context: MethodContext = webhookContext({ http: server.http, credentials });
  expect(await sendGrid.methods?.loadOptions?.[method]?.(context)).toEqual(choices);
});
