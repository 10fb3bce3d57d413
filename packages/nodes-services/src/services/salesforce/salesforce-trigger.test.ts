import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { pollOnce } from '@sluice/node-sdk/testing';
import { baseCredentialTypes } from '@sluice/nodes-base/credentials';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './salesforce-trigger.example.ts';
import { salesforceTrigger } from './salesforce-trigger.ts';
import { salesforceServer } from './testing/salesforce-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await salesforceServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const account = { access_token: 't1', instance_url: 'https://acme.my.salesforce.com' };
const credentials = { salesforceOAuth2Api: { oauthTokenData: account } };
const first = '2026-01-01T00:00:00.000+0000';
const second = '2026-01-02T00:00:00.000+0000';
const record = (Id: string, CreatedDate: string, LastModifiedDate = CreatedDate) => ({ Id, CreatedDate, LastModifiedDate });

/** The response to each query, whatever it asks for. */
const has = (...records: JsonObject[]) =>
  server.on('GET /services/data/v62.0/query', () => ({ json: { totalSize: records.length, done: true, records } }));
const queries = () => server.received.map(({ url }) => new URL(url, 'https://x').searchParams.get('q'));

async function poll(parameters: JsonObject = {}, cursor?: JsonObject, mode: 'manual' | 'trigger' = 'trigger') {
  const { items, cursor: next } = await pollOnce(salesforceTrigger, {
    parameters: { ...example.parameters, ...parameters },
    http: server.http,
    credentials,
    credentialTypes: baseCredentialTypes,
    mode,
    ...(cursor && { cursor }),
  });
  return { records: items.map(({ json }) => json), cursor: next };
}

test('the first poll stores the latest record, and the next one returns the records after it', async () => {
  has(record('00Q1', first));
  const initial = await poll();
  expect([initial.records, initial.cursor]).toEqual([[], { at: first, id: '00Q1' }]);
  const records = example.outputs?.[0] ?? [];
  has(...records);
  const next = await poll({}, initial.cursor);
  expect([next.records, next.cursor]).toEqual([records, { at: second, id: '00Q2' }]);
  expect(queries()).toEqual([
    'SELECT FIELDS(ALL) FROM Lead ORDER BY CreatedDate DESC, Id DESC LIMIT 1',
    `SELECT FIELDS(ALL) FROM Lead WHERE (CreatedDate > ${first} OR (CreatedDate = ${first} AND Id > '00Q1')) ORDER BY CreatedDate ASC, Id ASC LIMIT 200`,
  ]);
});

test('if there are no records yet, the first record starts an execution', async () => {
  has();
  const initial = await poll();
  expect(initial.cursor).toEqual({ at: '1970-01-01T00:00:00.000+0000', id: '' });
  expect((await poll({}, initial.cursor)).cursor).toEqual(initial.cursor);
  expect(queries().at(-1)).toContain('WHERE (CreatedDate > 1970-01-01T00:00:00.000+0000) ORDER');
});

test('a created record does not start an execution for updates', async () => {
  has(record('001A', second), record('001B', first, second));
  const { records, cursor } = await poll({ triggerOn: 'accountUpdated' }, { at: first, id: '001A' });
  expect([records, cursor]).toEqual([[record('001B', first, second)], { at: second, id: '001B' }]);
  expect(queries()[0]).toContain(' FROM Account WHERE (LastModifiedDate > ');
});

test('a manual run returns the latest record of a custom object', async () => {
  has(record('a001', second));
  const parameters = { triggerOn: 'customObjectCreated', customObject: ' Site__c ' };
  expect((await poll(parameters, undefined, 'manual')).records).toEqual([record('a001', second)]);
  expect(queries()).toEqual(['SELECT FIELDS(ALL) FROM Site__c ORDER BY CreatedDate DESC, Id DESC LIMIT 1']);
});

test.each<[JsonObject, string]>([
  [{ triggerOn: 'customObjectCreated' }, 'the parameter "customObject" is required'],
  [{ triggerOn: 'customObjectCreated', customObject: "Site__c' OR" }, `"Site__c' OR" is not an API name`],
  [{ triggerOn: 'leadDeleted' }, 'the parameter "triggerOn" must be one of'],
])('%j is rejected before a request', async (parameters, message) => {
  await expect(poll(parameters)).rejects.toThrow(message);
  expect(server.received).toEqual([]);
});

test('an error includes the code and text from Salesforce', async () => {
  server.on('GET /services/data/v62.0/query', () => ({
    status: 400,
    json: [{ message: "sObject type 'Lead' is not supported.", errorCode: 'INVALID_TYPE' }],
  }));
  await expect(poll()).rejects.toThrow("Salesforce: sObject type 'Lead' is not supported. (INVALID_TYPE)");
});
