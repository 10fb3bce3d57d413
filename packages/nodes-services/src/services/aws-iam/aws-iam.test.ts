import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './aws-iam.example.ts';
import { awsIam } from './aws-iam.ts';
import { awsIamServer, iamAnswer } from './testing/aws-iam-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await awsIamServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { aws: { region: 'eu-central-1', accessKeyId: 'AK1', secretAccessKey: 's' } };
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(awsIam, { parameters, http: server.http, credentials, ...more });
const sent = () =>
  server.received.map(({ body }) => {
    const { Version: _, ...parameters } = Object.fromEntries(new URLSearchParams(body.toString()));
    return parameters;
  });
const member = (name: string) => `<member><UserName>${name}</UserName></member>`;
const group = (operation: string, more: JsonObject): JsonObject => ({ resource: 'group', operation, ...more });

test('the example', async () => {
  expect(await run(example.parameters)).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual([{ Action: 'ListUsers', MaxItems: '1000' }]);
});

test('users are read to the end, or to the limit', async () => {
  server.on('POST /', ({ body }) => {
    const { Marker } = body as { Marker?: string };
    if (Marker !== undefined) return iamAnswer('ListUsers', `<Users>${member('c')}</Users><IsTruncated>false</IsTruncated>`);
    const more = '<IsTruncated>true</IsTruncated><Marker>m1</Marker>';
    return iamAnswer('ListUsers', `<Users>${member('a')}${member('b')}</Users>${more}`);
  });
  expect(await run({ returnAll: true, additionalFields: { pathPrefix: '/sales/' } })).toEqual([
    { UserName: 'a' },
    { UserName: 'b' },
    { UserName: 'c' },
  ]);
  expect(await run({ limit: 1 })).toEqual([{ UserName: 'a' }]);
  expect(sent()).toEqual([
    { Action: 'ListUsers', PathPrefix: '/sales/', MaxItems: '1000' },
    { Action: 'ListUsers', PathPrefix: '/sales/', MaxItems: '1000', Marker: 'm1' },
    { Action: 'ListUsers', MaxItems: '1' },
  ]);
});

test('an account without users has no items', async () => {
  server.on('POST /', () => iamAnswer('ListUsers', '<Users/><IsTruncated>false</IsTruncated>'));
  expect(await run({})).toEqual([]);
});

const user = { UserName: 'ada', UserId: 'AIDA1', Path: '/', Arn: 'arn:aws:iam::1:user/ada' };
test.each<[JsonObject, JsonObject, JsonObject]>([
  [{ operation: 'get', user: { __rl: true, mode: 'list', value: 'ada' } }, { Action: 'GetUser', UserName: 'ada' }, user],
  [
    {
      operation: 'create',
      userName: 'ada',
      additionalFields: { path: '/sales/', permissionsBoundary: 'arn:aws:iam::1:policy/p' },
    },
    { Action: 'CreateUser', UserName: 'ada', Path: '/sales/', PermissionsBoundary: 'arn:aws:iam::1:policy/p' },
    user,
  ],
  [{ operation: 'delete', user: 'ada' }, { Action: 'DeleteUser', UserName: 'ada' }, { success: true }],
  [
    { operation: 'update', user: 'ada', userName: 'ada2', additionalFields: { path: '/x/' } },
    { Action: 'UpdateUser', UserName: 'ada', NewUserName: 'ada2', NewPath: '/x/' },
    { success: true },
  ],
  [
    { operation: 'addToGroup', user: 'ada', group: 'sales' },
    { Action: 'AddUserToGroup', UserName: 'ada', GroupName: 'sales' },
    { success: true },
  ],
  [
    { operation: 'removeFromGroup', user: 'ada', group: 'sales' },
    { Action: 'RemoveUserFromGroup', UserName: 'ada', GroupName: 'sales' },
    { success: true },
  ],
  [group('getAll', { limit: 5 }), { Action: 'ListGroups', MaxItems: '5' }, { GroupName: 'sales', Path: '/' }],
  [
    group('get', { group: 'sales' }),
    { Action: 'GetGroup', GroupName: 'sales', MaxItems: '1000' },
    { GroupName: 'sales', Path: '/' },
  ],
  [
    group('get', { group: 'sales', includeUsers: true }),
    { Action: 'GetGroup', GroupName: 'sales', MaxItems: '1000' },
    { GroupName: 'sales', Path: '/', Users: [user] },
  ],
  [
    group('create', { groupName: 'sales', additionalFields: { path: '/eu/' } }),
    { Action: 'CreateGroup', GroupName: 'sales', Path: '/eu/' },
    { GroupName: 'sales', Path: '/' },
  ],
  [group('delete', { group: 'sales' }), { Action: 'DeleteGroup', GroupName: 'sales' }, { success: true }],
  [
    group('update', { group: 'sales', groupName: 'sales2' }),
    { Action: 'UpdateGroup', GroupName: 'sales', NewGroupName: 'sales2' },
    { success: true },
  ],
])('%j sends %j', async (parameters, request, result) => {
  expect(await run(parameters)).toEqual([result]);
  expect(sent()).toEqual([request]);
});

test.each<[JsonObject, string]>([
  [{ operation: 'get' }, 'the parameter "user" is required'],
  [{ operation: 'create' }, 'the parameter "userName" is required'],
  [group('delete', {}), 'the parameter "group" is required'],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('an answer that is not XML is an error', async () => {
  server.on('POST /', () => ({ text: '<html><p>' }));
  await expect(run({})).rejects.toThrow('the service response is not XML');
});

test('an error includes the text and the code from AWS; a rate-limited request is retried', async () => {
  const error = (code: string, text: string) =>
    `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${text}</Message></Error></ErrorResponse>`;
  server.on('POST /', ({ count }) => {
    if (count === 1) return { status: 404, text: error('NoSuchEntity', 'The user with name x cannot be found.') };
    if (count === 2) return { status: 400, headers: { 'retry-after': '0' }, text: error('Throttling', 'Rate exceeded') };
    return iamAnswer('GetUser');
  });
  expect(await run({ operation: 'get', user: 'x' }, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'AWS IAM: The user with name x cannot be found. (NoSuchEntity)' },
    user,
  ]);
});
