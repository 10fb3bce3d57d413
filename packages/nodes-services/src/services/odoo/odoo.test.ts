import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { HttpRequest, JsonObject, JsonValue } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { example } from './odoo.example.ts';
import { odoo } from './odoo.ts';
import { account, odooServer } from './testing/odoo-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await odooServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(odoo, { parameters, http: server.http, credentials: { odooApi: account }, ...more });
/** Model, method, arguments, and options of each call. */
const sent = () =>
  server.received.map(({ body }) => {
    const { params } = JSON.parse(body.toString()) as { params: { service: string; args: JsonValue[] } };
    return params.service === 'common' ? ['login', ...params.args] : params.args.slice(3);
  });
const login = ['login', 'acme', 'ann@acme.test', 'key1'];
const custom = { resource: 'custom', customResource: 'sale.order' };
const opportunity = { resource: 'opportunity' };
const fields = (...entries: [fieldName: string, fieldValue: JsonValue][]) => ({
  fieldsToCreateOrUpdate: { fields: entries.map(([fieldName, fieldValue]) => ({ fieldName, fieldValue })) },
});
const filters = (...entries: JsonObject[]) => ({ filterRequest: { filter: entries } });
const described = ['sale.order', 'fields_get', [], { attributes: ['string', 'type'] }];

test('the example', async () => {
  const additionalFields = { email: 'ada@example.com', address: { value: { city: 'Rome' } } };
  expect(await run({ contactName: 'Ada Lovelace', additionalFields })).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual([
    login,
    ['res.partner', 'create', [{ name: 'Ada Lovelace', email: 'ada@example.com', city: 'Rome' }], {}],
  ]);
});

test.each<[JsonObject, JsonObject, JsonValue[]]>([
  [
    { operation: 'update', contactId: '42', updateFields: { name: 'B', function: 'CEO' } },
    { id: 42 },
    ['res.partner', 'write', [[42], { name: 'B', function: 'CEO' }], {}],
  ],
  [{ operation: 'delete', contactId: 42 }, { success: true }, ['res.partner', 'unlink', [[42]], {}]],
  [
    { operation: 'get', contactId: '42', options: { fieldsList: ['name', 'email'] } },
    { id: 42, name: 'A' },
    ['res.partner', 'read', [[42], ['name', 'email']], {}],
  ],
  [
    { ...opportunity, opportunityName: 'O', additionalFields: { priority: '1', expected_revenue: 5, email_from: 'a@b.test' } },
    { id: 42 },
    ['crm.lead', 'create', [{ name: 'O', priority: '1', expected_revenue: 5, email_from: 'a@b.test' }], {}],
  ],
  [
    { ...opportunity, operation: 'update', opportunityId: '3', updateFields: { description: 'D' } },
    { id: 3 },
    ['crm.lead', 'write', [[3], { description: 'D' }], {}],
  ],
  [{ resource: 'note', memo: 'M' }, { id: 42 }, ['note.note', 'create', [{ memo: 'M' }], {}]],
  [
    { resource: 'note', operation: 'update', noteId: '8', memo: 'N' },
    { id: 8 },
    ['note.note', 'write', [[8], { memo: 'N' }], {}],
  ],
  [
    { ...custom, operation: 'create', ...fields(['name', 'S'], ['', 'x'], ['partner_id', 7]) },
    { id: 42 },
    ['sale.order', 'create', [{ name: 'S', partner_id: 7 }], {}],
  ],
])('%j is one call after the login', async (parameters, result, call) => {
  expect(await run(parameters)).toEqual([result]);
  expect(sent().filter(([, method]) => method !== 'fields_get')).toEqual([login, call]);
});

test('all items share a login, and the description of the fields', async () => {
  const parameters = {
    ...custom,
    operation: 'update',
    customResourceId: '5',
    ...fields(
      ['partner_id', '7'],
      ['amount_total', ' 10.5 '],
      ['active', 'False'],
      ['tag_ids', '[[6, 0, [1]]]'],
      ['name', '007'],
    ),
  };
  expect(await run(parameters, { json: [{}, {}] })).toEqual([{ id: 5 }, { id: 5 }]);
  const record = { partner_id: 7, amount_total: 10.5, active: false, tag_ids: [[6, 0, [1]]], name: '007' };
  const write = ['sale.order', 'write', [[5], record], {}];
  expect(sent()).toEqual([login, described, write, write]);
});

test('filters become a domain whose values have the type of their field', async () => {
  const parameters = {
    ...custom,
    operation: 'getAll',
    limit: 2,
    ...filters(
      { fieldName: 'name', value: "S'007" },
      { fieldName: 'name', operator: 'like', value: '1' },
      { fieldName: 'partner_id', operator: 'notEqual', value: '7' },
      { fieldName: 'tag_ids', operator: 'in', value: '1, 2' },
      { fieldName: 'amount_total', operator: 'greaterThen', value: '5.5' },
      { fieldName: 'active', operator: '=', value: 'true' },
      { fieldName: 'partner_id.zip', operator: 'notIn', value: ['10115'] },
      { fieldName: '', value: 'x' },
    ),
    options: { fieldsList: 'id,name' },
  };
  expect(await run(parameters)).toHaveLength(2);
  const domain = [
    ['name', '=', "S'007"],
    ['name', 'like', '1'],
    ['partner_id', '!=', 7],
    ['tag_ids', 'in', [1, 2]],
    ['amount_total', '>', 5.5],
    ['active', '=', true],
    ['partner_id.zip', 'not in', ['10115']],
  ];
  expect(sent()).toEqual([
    login,
    described,
    ['sale.order', 'search_read', [domain], { fields: ['id', 'name'], limit: 2, offset: 0 }],
  ]);
});

test('records are listed to their end, or to the limit, sorted by ID if they have pages', async () => {
  const all = await run({ operation: 'getAll', returnAll: true });
  expect(all.map(({ id }) => id)).toEqual(Array.from({ length: 150 }, (_, index) => index + 1));
  expect(await run({ operation: 'getAll', limit: 120 })).toHaveLength(120);
  const page = (offset: number) => ['res.partner', 'search_read', [[]], { fields: [], limit: 100, order: 'id', offset }];
  expect(sent()).toEqual([login, page(0), page(100), login, page(0), page(100)]);
});

test('a list without an end is an error', async () => {
  const page = Buffer.from(JSON.stringify({ result: Array(100).fill({}) }));
  const signedIn = Buffer.from('{"result":7}');
  const request = async ({ url, body }: HttpRequest) => ({
    ...{ status: 200, statusText: '', headers: {}, url },
    body: String(body).includes('"login"') ? signedIn : page,
  });
  const endless = run({ operation: 'getAll', returnAll: true }, { http: { request } });
  await expect(endless).rejects.toThrow('the list has more than 10000 pages');
});

test.each<[JsonObject, string]>([
  [{ contactName: '' }, 'the parameter "contactName" is required'],
  [{ operation: 'get', contactId: '42 OR 1' }, 'the parameter "contactId" is not the ID of a record'],
  [{ resource: 'custom', operation: 'getAll' }, 'the parameter "customResource" is required'],
  [{ operation: 'getAll', ...filters({ fieldName: 'a', operator: 'DROP', value: 1 }) }, 'a filter has an unknown operator'],
  [
    { operation: 'getAll', ...filters({ fieldName: 'a', operator: { toString: 1 }, value: 1 }) },
    'a filter has an unknown operator',
  ],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('an error, which has the status 200, does not affect other items', async () => {
  const parameters = { operation: 'update', updateFields: { name: 'B' } };
  const ofItem = (index: number) => ({ ...parameters, contactId: ['403', '1'][index] ?? '' });
  expect(await run({}, { parameters: ofItem, json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'Odoo: You are not allowed to modify (AccessError)' },
    { id: 1 },
  ]);
});

test('a missing record is an error', async () => {
  await expect(run({ operation: 'get', contactId: '404' })).rejects.toThrow('the contact does not exist');
});

test('a wrong password is an error, and the next item signs in again', async () => {
  const credentials = { odooApi: { ...account, password: 'wrong' } };
  const results = await run({ operation: 'get', contactId: '1' }, { credentials, json: [{}, {}], continueOnFail: true });
  expect(results).toEqual(Array(2).fill({ error: 'Odoo does not accept the user name or the password' }));
  expect(sent()).toHaveLength(2);
});

test.each<[string, JsonObject, string[]]>([
  ['getFields', custom, ['active', 'partner_id', 'name', 'tag_ids', 'amount_total']],
  ['getFields', { resource: 'custom' }, []],
  ['getOperators', {}, ['equal', 'notEqual']],
  ['getModels', {}, ['ir.model']],
  ['getCountries', {}, ['1', '2']],
  ['getStates', {}, ['1', '2']],
])('editors choose by name: %s with %j', async (method, parameters, values) => {
  const context = webhookContext({ http: server.http, credentials: { odooApi: account }, parameters });
  const choices = (await odoo.methods?.loadOptions?.[method]?.(context)) ?? [];
  const limit = method === 'getFields' ? choices.length : values.length;
  expect(choices.slice(0, limit).map(({ value }) => value)).toEqual(values);
});
