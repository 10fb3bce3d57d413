import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { type FakeRun, memoryBinary, runForJson, runNode } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { streamedOnly } from '../../testing/streamed-only.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { example } from './service-now.example.ts';
import { serviceNow } from './service-now.ts';
import { serviceNowServer } from './testing/service-now-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await serviceNowServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { serviceNowBasicApi: { user: 'ann', password: 'p1', subdomain: 'acme' } };
const basic = { authentication: 'basicAuth' };
const runOf = (parameters: JsonObject, more: FakeRun = {}): FakeRun => ({
  parameters: { ...basic, ...parameters },
  http: server.http,
  credentials,
  ...more,
});
const run = (parameters: JsonObject, more: FakeRun = {}) => runForJson(serviceNow, runOf(parameters, more));
const sent = () =>
  server.received.map(({ method, url, body, headers }): JsonValue[] => {
    const text = body.toString();
    const isJson = String(headers['content-type']).includes('json');
    return [`${method} ${url.replace('/api/now', '')}`, text === '' ? null : isJson ? JSON.parse(text) : text];
  });
const incident = { resource: 'incident' };
const record = { resource: 'tableRecord', tableName: 'change_request' };
const attachment = { resource: 'attachment' };

test('the example', async () => {
  const additionalFields = { urgency: '2', caller_id: 'Ada Lovelace' };
  const parameters = { ...example.parameters, short_description: 'Mail is down', additionalFields };
  expect(await run(parameters)).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual([
    ['POST /table/incident', { short_description: 'Mail is down', urgency: '2', caller_id: 'Ada Lovelace' }],
  ]);
});

test.each<[JsonObject, string, JsonValue]>([
  [
    { ...incident, operation: 'create', additionalFields: { short_description: 'S', state: '' } },
    'POST /table/incident',
    { short_description: 'S' },
  ],
  [
    { ...incident, operation: 'update', id: 'a/b?c', updateFields: { state: 6 } },
    'PATCH /table/incident/a%2Fb%3Fc',
    { state: 6 },
  ],
  [{ ...incident, operation: 'delete', id: 's1' }, 'DELETE /table/incident/s1', null],
  [
    { ...incident, operation: 'get', id: 's1', options: { sysparm_display_value: 'all', sysparm_fields: ['number', 'state'] } },
    'GET /table/incident/s1?sysparm_display_value=all&sysparm_fields=number%2Cstate',
    null,
  ],
  [
    { resource: 'user', operation: 'create', additionalFields: { user_name: 'ada', active: false } },
    'POST /table/sys_user',
    { user_name: 'ada', active: false },
  ],
  [{ operation: 'get', id: 'u1' }, 'GET /table/sys_user/u1', null],
  [
    { resource: 'user', operation: 'get', getOption: 'user_name', user_name: 'ada&b@acme.com' },
    'GET /table/sys_user?user_name=ada%26b%40acme.com&sysparm_limit=1',
    null,
  ],
  [
    {
      ...record,
      operation: 'create',
      dataToSend: 'columns',
      fieldsToSend: { field: [{ column: 'risk', value: 'high' }, { column: '' }] },
    },
    'POST /table/change_request',
    { risk: 'high' },
  ],
  [{ ...record, operation: 'update', id: 's1', inputsToIgnore: 'b, c' }, 'PATCH /table/change_request/s1', { a: 1 }],
  [{ ...record, operation: 'create', dataToSend: 'nothing' }, 'POST /table/change_request', {}],
  [{ ...record, operation: 'get', id: 's1' }, 'GET /table/change_request/s1', null],
  [{ ...record, operation: 'delete', id: 's1' }, 'DELETE /table/change_request/s1', null],
  [{ ...attachment, operation: 'delete', attachmentId: 'a1' }, 'DELETE /attachment/a1', null],
  [{ ...attachment, operation: 'get', attachmentId: 'a1' }, 'GET /attachment/a1', null],
])('%j is one request', async (parameters, request, body) => {
  expect(await run(parameters, { json: [{ a: 1, b: 2 }] })).toHaveLength(1);
  expect(sent()).toEqual([[request, body]]);
});

test('records are listed to their end, even if some are not visible, or to the limit', async () => {
  const getAll = { ...incident, operation: 'getAll' };
  expect(await run({ ...getAll, returnAll: true })).toHaveLength(1_001);
  const sorted = { sysparm_query: 'active=true^ORDERBYDESCpriority' };
  expect(await run({ ...getAll, limit: 1_001, options: sorted })).toHaveLength(1_001);
  const options = { sysparm_query: 'active=true^nameLIKEa&b', sysparm_exclude_reference_link: true };
  expect(await run({ ...getAll, limit: 1, options })).toHaveLength(1);
  expect(await run({ ...record, operation: 'getAll', limit: 2 })).toHaveLength(2);
  expect(sent().map(([request]) => request)).toEqual([
    'GET /table/incident?sysparm_query=ORDERBYsys_id&sysparm_limit=1000',
    'GET /table/incident?sysparm_query=ORDERBYsys_id&sysparm_limit=1000&sysparm_offset=1000',
    'GET /table/incident?sysparm_query=active%3Dtrue%5EORDERBYDESCpriority%5EORDERBYsys_id&sysparm_limit=1000',
    'GET /table/incident?sysparm_query=active%3Dtrue%5EORDERBYDESCpriority%5EORDERBYsys_id&sysparm_limit=1000&sysparm_offset=1000',
    'GET /table/incident?sysparm_query=active%3Dtrue%5EnameLIKEa%26b&sysparm_exclude_reference_link=true&sysparm_limit=1',
    'GET /table/change_request?sysparm_limit=2',
    'GET /table/change_request?sysparm_limit=2&sysparm_offset=2',
  ]);
});

test.each([
  ['businessService', 'cmdb_ci_service'],
  ['configurationItems', 'cmdb_ci'],
  ['department', 'cmn_department'],
  ['dictionary', 'sys_dictionary'],
  ['userGroup', 'sys_user_group'],
  ['userRole', 'sys_user_role'],
])('%s lists the table %s', async (resource, table) => {
  expect(await run({ resource, operation: 'getAll', limit: 1 })).toEqual([{ sys_id: '1', name: table }]);
});

test('files are uploaded as streams', async () => {
  const binary = streamedOnly();
  const data = await binary.store(Buffer.from('Hello'), { fileName: 'a&b.txt', mimeType: 'text/plain' });
  const upload = { ...attachment, operation: 'upload', tableName: 'incident', id: 's1' };
  const more: FakeRun = { binary, inputs: [[{ json: {}, binary: { data } }]] };
  await run(upload, more);
  expect(await run({ ...upload, options: { file_name: 'c.txt' } }, more)).toEqual([{ sys_id: 'a2', file_name: 'c.txt' }]);
  expect(sent()).toEqual([
    ['POST /attachment/file?table_name=incident&table_sys_id=s1&file_name=a%26b.txt', 'Hello'],
    ['POST /attachment/file?table_name=incident&table_sys_id=s1&file_name=c.txt', 'Hello'],
  ]);
});

test('attachments are downloaded with their names and types', async () => {
  const getAll = { ...attachment, operation: 'getAll', tableName: 'incident', options: { queryFilter: 'table_sys_id=s1' } };
  expect(await run(getAll)).toHaveLength(1);
  const binary = memoryBinary();
  for (const parameters of [
    { ...getAll, download: true },
    { ...attachment, operation: 'get', attachmentId: 'a1', download: true },
  ]) {
    const [items] = await runNode(serviceNow, runOf({ ...parameters, outputField: 'file' }, { binary }));
    const file = items?.[0]?.binary?.['file'];
    expect(file).toMatchObject({ fileName: 'a.txt', mimeType: 'text/plain' });
    expect(file && (await binary.read(file)).toString()).toBe('Hello');
  }
  expect(await run({ ...getAll, returnAll: true })).toHaveLength(1);
  expect(sent().at(-1)?.[0]).toMatch(/table_sys_id%3Ds1%5EORDERBYDESCsys_created_on%5EORDERBYsys_id&sysparm_limit=1000$/);
  expect(sent()[0]?.[0]).toBe('GET /attachment?sysparm_query=table_name%3Dincident%5Etable_sys_id%3Ds1&sysparm_limit=50');
});

test.each<[JsonObject, string]>([
  [{ ...incident, operation: 'get', id: '' }, 'the parameter "id" is required'],
  [{ resource: 'tableRecord', operation: 'getAll' }, 'the parameter "tableName" is required'],
  [{ operation: 'get', getOption: 'user_name', user_name: 'ada^ORname=x' }, 'the user name contains "^"'],
  [
    { operation: 'get', getOption: 'user_name', user_name: ' JavaScript:gs.getUserName()' },
    'the user name contains "^" or starts with "javascript:"',
  ],
  [{ ...attachment, operation: 'getAll', tableName: 'a^ORb=c' }, 'the parameter "tableName" is not a name or an ID'],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message: expect.stringContaining(message), itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('a user name that does not exist is an error', async () => {
  await expect(run({ operation: 'get', getOption: 'user_name', user_name: 'missing' })).rejects.toThrow(
    'the user does not exist',
  );
});

test('an error has message and detail, and does not affect other items', async () => {
  server.on('GET /api/now/table/:table/:id', ({ count }) =>
    count === 1
      ? { status: 404, json: { error: { message: 'No Record found', detail: 'ACL restricts the record' }, status: 'failure' } }
      : { json: { result: { sys_id: 's1' } } },
  );
  expect(await run({ ...incident, operation: 'get', id: 's1' }, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'ServiceNow: No Record found: ACL restricts the record (404)' },
    { sys_id: 's1' },
  ]);
});

test('OAuth2 is the default', async () => {
  const other = await serviceNowServer(/^Bearer t1$/);
  const serviceNowOAuth2Api = { subdomain: 'acme', oauthTokenData: { access_token: 't1' } };
  const parameters = { resource: 'incident', operation: 'get', id: 's1' };
  expect(await runForJson(serviceNow, { parameters, http: other.http, credentials: { serviceNowOAuth2Api } })).toHaveLength(1);
  other.verify();
  await other.close();
});

test.each<[string, JsonObject, string]>([
  ['getUsers', {}, '/table/sys_user?sysparm_fields=name%2Csys_id&sysparm_query=ORDERBYname%5EORDERBYsys_id&sysparm_limit=1000'],
  [
    'getAssignmentGroups',
    {},
    '/table/sys_user_group?sysparm_fields=name%2Csys_id&sysparm_query=ORDERBYname%5EORDERBYsys_id&sysparm_limit=1000',
  ],
  [
    'getBusinessServices',
    {},
    '/table/cmdb_ci_service?sysparm_fields=name%2Csys_id&sysparm_query=ORDERBYname%5EORDERBYsys_id&sysparm_limit=1000',
  ],
  [
    'getConfigurationItems',
    {},
    '/table/cmdb_ci?sysparm_fields=name%2Csys_id&sysparm_query=ORDERBYname%5EORDERBYsys_id&sysparm_limit=1000',
  ],
  ['getTables', {}, '/table/sys_db_object?sysparm_fields=label%2Cname&sysparm_query=ORDERBYsys_id&sysparm_limit=1000'],
  [
    'getColumns',
    { resource: 'incident' },
    '/table/sys_dictionary?sysparm_fields=column_label%2Celement&sysparm_query=nameINincident%2Ctask%5EelementISNOTEMPTY%5EORDERBYsys_id&sysparm_limit=1000',
  ],
])('editors choose by name: %s with %j', async (method, parameters, request) => {
  const context = webhookContext({ http: server.http, credentials, parameters: { ...basic, ...parameters } });
  expect(await serviceNow.methods?.loadOptions?.[method]?.(context)).not.toEqual([]);
  expect(server.received[0]?.url).toBe(`/api/now${request}`);
});

test('a table that is not a name has no columns', async () => {
  const parameters = { ...basic, resource: 'tableRecord', tableName: 'a^ORb=c' };
  const context = webhookContext({ http: server.http, credentials, parameters });
  expect(await serviceNow.methods?.loadOptions?.['getColumns']?.(context)).toEqual([]);
});
