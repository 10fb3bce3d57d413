import { expect, test } from '@jest/globals';
import type { CredentialPorts, HttpRequest, JsonObject } from '@sluice/node-sdk';
import { createCredentialTypeRegistry } from '../credential-type-registry.ts';

const registry = createCredentialTypeRegistry();
const revocable = registry.list().filter(({ revocation }) => revocation !== undefined);
const { signal } = new AbortController();
const client = { clientId: 'the client', clientSecret: 's+1' };

function aService(...statuses: number[]) {
  const sent: HttpRequest[] = [];
  const request = async (one: HttpRequest) => {
    sent.push(one);
    return { status: statuses.shift() ?? 200, statusText: '', headers: {}, body: new Uint8Array(), url: one.url };
  };
  return { sent, ports: { http: { request } } as unknown as CredentialPorts };
}

async function revoke(name: string, data: JsonObject, ...statuses: number[]) {
  const { sent, ports } = aService(...statuses);
  await registry.find(name)?.revocation?.revoke({ ...client, ...data }, ports, signal);
  return sent.map(({ url, body, headers }) => [
    url,
    headers?.['authorization'],
    Object.fromEntries(new URLSearchParams(String(body))),
  ]);
}

const oauthTokenData = { access_token: 'a', refresh_token: 'r' };
const basic = `Basic ${Buffer.from('the+client:s%2B1').toString('base64')}`;
const inBody = { client_id: 'the client', client_secret: 's+1' };

test.each<[string, JsonObject, string, string | undefined, object]>([
  ['googleSheetsOAuth2Api', {}, 'https://oauth2.googleapis.com/revoke', undefined, inBody],
  ['gitlabOAuth2Api', { server: 'https://git.example/' }, 'https://git.example/oauth/revoke', undefined, inBody],
  ['salesforceOAuth2Api', { environment: 'sandbox' }, 'https://test.salesforce.com/services/oauth2/revoke', undefined, inBody],
  ['redditOAuth2Api', {}, 'https://www.reddit.com/api/v1/revoke_token', basic, {}],
  ['zoomOAuth2Api', {}, 'https://zoom.us/oauth/revoke', basic, {}],
])('%s revokes both tokens, authenticated like its token requests', async (name, data, url, authorization, form) => {
  expect(await revoke(name, { ...data, oauthTokenData })).toEqual([
    [url, authorization, { token: 'r', token_type_hint: 'refresh_token', ...form }],
    [url, authorization, { token: 'a', token_type_hint: 'access_token', ...form }],
  ]);
});

test('Linear receives each token in a field named after its kind, without client authentication', async () => {
  expect(await revoke('linearOAuth2Api', { oauthTokenData })).toEqual([
    ['https://api.linear.app/oauth/revoke', undefined, { refresh_token: 'r' }],
    ['https://api.linear.app/oauth/revoke', undefined, { access_token: 'a' }],
  ]);
});

test('only tokens that exist are revoked', async () => {
  expect(await revoke('gitlabOAuth2Api', {})).toEqual([]);
  expect(await revoke('gitlabOAuth2Api', { oauthTokenData: { access_token: 'a' } })).toHaveLength(1);
});

test('fails if the service revokes no token', async () => {
  expect(await revoke('gitlabOAuth2Api', { oauthTokenData }, 200, 400)).toHaveLength(2);
  await expect(revoke('gitlabOAuth2Api', { oauthTokenData }, 401, 401)).rejects.toMatchObject({
    code: 'CREDENTIAL_TOKEN_REFUSED',
    message: 'the service did not revoke the tokens (401, 401)',
  });
});

test.each(revocable.map(({ name }) => name))('%s may send its tokens to the endpoint that revokes them', async (name) => {
  const data = { ...client, server: 'https://git.example' };
  const type = registry.find(name);
  const hosts = typeof type?.hosts === 'function' ? type.hosts(data) : [];
  const [[url = ''] = []] = (await revoke(name, { ...data, oauthTokenData })) as string[][];
  expect(hosts).toContain(`${new URL(url).hostname}:443`);
});

test('services that revoke more than one token at once, such as Google, declare a shared grant', () => {
  const shared = revocable.flatMap(({ revocation }) => revocation?.sharedGrant ?? []);
  expect([...new Set(shared)].sort()).toEqual(['asana', 'discord', 'google', 'linear', 'zoom']);
  expect(shared.filter((name) => name === 'google')).toHaveLength(22);
});
