import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { fakePorts, jsonResponse } from '../testing/credential-ports.ts';
import { signed } from '../testing/signed.ts';
import { baseCredentialTypes } from './base-credential-types.ts';
import { createCredentialTypeRegistry } from './credential-type-registry.ts';
import { telegramApi } from './telegram-api.ts';

const signal = new AbortController().signal;
const registry = createCredentialTypeRegistry(baseCredentialTypes);

/** The request that each type's credential test sends to its service. */
const table: [type: string, data: JsonObject, asked: { method: string; url: string; headers?: Record<string, unknown> }][] = [
  [
    'httpBasicAuth',
    { user: 'u', password: 'p', testUrl: 'https://x.example/me' },
    { method: 'GET', url: 'https://x.example/me', headers: { authorization: 'Basic dTpw' } },
  ],
  [
    'httpBearerAuth',
    { token: 't', testUrl: 'https://x.example/me' },
    { method: 'GET', url: 'https://x.example/me', headers: { Authorization: 'Bearer t' } },
  ],
  [
    'httpCustomAuth',
    { json: '{"headers":{"x-key":"v"},"qs":{"q":1}}', testUrl: 'https://x.example/me' },
    { method: 'GET', url: 'https://x.example/me?q=1', headers: { 'x-key': 'v' } },
  ],
  [
    'httpHeaderAuth',
    { name: 'X-Key', value: 'v', testUrl: 'https://x.example/me' },
    { method: 'GET', url: 'https://x.example/me', headers: { 'X-Key': 'v' } },
  ],
  [
    'httpQueryAuth',
    { name: 'key', value: 'v', testUrl: 'https://x.example/me' },
    { method: 'GET', url: 'https://x.example/me?key=v' },
  ],
  [
    'aws',
    { region: 'eu-west-1', accessKeyId: 'a', secretAccessKey: 's' },
    {
      method: 'GET',
      url: 'https://sts.eu-west-1.amazonaws.com/?Action=GetCallerIdentity&Version=2011-06-15',
      headers: { Authorization: expect.stringContaining('/eu-west-1/sts/') },
    },
  ],
  [
    's3',
    { endpoint: 'https://s3.example/', accessKeyId: 'a', secretAccessKey: 's' },
    { method: 'GET', url: 'https://s3.example/', headers: { Authorization: expect.stringContaining('/us-east-1/s3/') } },
  ],
  [
    'azureStorage',
    { account: 'acc', key: 'a2V5' },
    {
      method: 'GET',
      url: 'https://acc.blob.core.windows.net/?comp=list&maxresults=1',
      headers: { authorization: expect.stringMatching(/^SharedKey acc:/) },
    },
  ],
  [
    'slackApi',
    { accessToken: 'xoxb' },
    { method: 'POST', url: 'https://slack.com/api/auth.test', headers: { Authorization: 'Bearer xoxb' } },
  ],
  ['telegramApi', { accessToken: '1:t' }, { method: 'GET', url: 'https://api.telegram.org/bot1:t/getMe' }],
  [
    'telegramApi',
    { accessToken: '1:t', baseUrl: 'https://own.example/tg/' },
    { method: 'GET', url: 'https://own.example/tg/bot1:t/getMe' },
  ],
  [
    'githubApi',
    { accessToken: 'ghp', server: 'https://git.example/api/v3' },
    { method: 'GET', url: 'https://git.example/api/v3/user', headers: { Authorization: 'token ghp' } },
  ],
  [
    'notionApi',
    { apiKey: 'k' },
    {
      method: 'GET',
      url: 'https://api.notion.com/v1/users/me',
      headers: { authorization: 'Bearer k', 'notion-version': expect.any(String) },
    },
  ],
  [
    'airtableTokenApi',
    { accessToken: 'pat' },
    { method: 'GET', url: 'https://api.airtable.com/v0/meta/whoami', headers: { Authorization: 'Bearer pat' } },
  ],
  [
    'openAiApi',
    { apiKey: 'sk', organizationId: 'org', header: true, headerName: 'X-More', headerValue: 'm' },
    {
      method: 'GET',
      url: 'https://api.openai.com/v1/models',
      headers: { authorization: 'Bearer sk', 'openai-organization': 'org', 'X-More': 'm' },
    },
  ],
  [
    'openAiApi',
    { apiKey: 'sk', url: 'http://localhost:11434/v1/' },
    { method: 'GET', url: 'http://localhost:11434/v1/models' },
  ],
];

describe.each(table)('the test of %s with %j', (name, data, expectedRequest) => {
  const tried = registry.find(name)?.test;

  test('sends one cheap request with the credential', async () => {
    const ports = fakePorts();
    expect(await tried?.(data, ports, signal)).toEqual({ status: 'OK', message: 'the connection works' });
    expect(ports.requests).toMatchObject([expectedRequest]);
  });

  test('reports a rejection by the service', async () => {
    const result = await tried?.(data, fakePorts({ answer: () => jsonResponse({}, 401) }), signal);
    expect(result).toEqual({ status: 'Error', message: 'the service refused the credential (401)' });
  });
});

test('Slack refuses with a 200', async () => {
  const answer = () => jsonResponse({ ok: false, error: 'invalid_auth' });
  const result = await registry.find('slackApi')?.test?.({ accessToken: 'x' }, fakePorts({ answer }), signal);
  expect(result).toEqual({ status: 'Error', message: 'invalid_auth' });
});

test.each([
  'httpBasicAuth',
  'httpBearerAuth',
  'httpCustomAuth',
  'httpDigestAuth',
  'httpHeaderAuth',
  'httpQueryAuth',
  'oAuth1Api',
])('%s without a test URL reports that it cannot be tested', async (name) => {
  const result = await registry.find(name)?.test?.({ user: 'u', name: 'n', value: 'v' }, fakePorts(), signal);
  expect(result).toMatchObject({ status: 'Error', message: expect.stringContaining('cannot be tested') });
});

describe('telegramApi', () => {
  const data = { accessToken: '1:t', baseUrl: 'https://own.example/tg' };
  const sent = async (url: string) => (await signed(telegramApi, { method: 'GET', url }, data, fakePorts())).url;

  test.each([
    ['https://own.example/tg/sendMessage?x=1', 'https://own.example/tg/bot1:t/sendMessage?x=1'],
    ['https://own.example/tg/bot1:t/getMe', 'https://own.example/tg/bot1:t/getMe'],
    ['https://own.example/tg/file/documents/a.pdf', 'https://own.example/tg/file/bot1:t/documents/a.pdf'],
  ])('%s becomes %s', async (url, expected) => {
    expect(await sent(url)).toBe(expected);
  });

  test('does not send the token to another host', async () => {
    await expect(sent('https://api.telegram.org/getMe')).rejects.toMatchObject({ code: 'CREDENTIAL_UNUSABLE' });
  });
});
