import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { jwtVerify } from 'jose';
import { fakePorts, jsonResponse } from '../testing/credential-ports.ts';
import { signed } from '../testing/signed.ts';
import { googleApi } from './google-api.ts';
import { jwtAuth } from './jwt-auth.ts';
import { oAuth2Api } from './o-auth2-api.ts';
import { refreshToken } from './shared/token-renewal.ts';

const signal = new AbortController().signal;
const nowMs = Date.UTC(2026, 0, 2, 3, 4, 5);
const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const get = { method: 'GET', url: 'https://api.example/' };

describe('oAuth2Api', () => {
  const client: JsonObject = { accessTokenUrl: 'https://t.example/token', clientId: 'my id', clientSecret: 's&t' };
  const byUser = (token: JsonObject): JsonObject => ({ ...client, authUrl: 'https://t.example/auth', oauthTokenData: token });
  const own: JsonObject = { ...client, grantType: 'clientCredentials', scope: 'a b' };
  const tokenOf = (data: JsonObject) => data['oauthTokenData'];

  test('a client credentials request sends the encoded client in the header (RFC 6749 §2.3.1)', async () => {
    const ports = fakePorts({ answer: () => jsonResponse({ access_token: 't', token_type: 'bearer', expires_in: 100 }) });
    const renewed = await refreshToken(own, ports, signal);
    expect(ports.requests[0]).toMatchObject({
      method: 'POST',
      url: 'https://t.example/token',
      body: 'grant_type=client_credentials&scope=a+b',
      headers: { authorization: `Basic ${btoa('my+id:s%26t')}` },
    });
    expect(renewed).toEqual({
      ...own,
      oauthTokenData: { access_token: 't', token_type: 'bearer', expires_in: 100, expiresAt: nowMs + 100_000 },
    });
  });

  test('exchanges a refresh token, with the client in the body and extra fields if the service requires that', async () => {
    const ports = fakePorts({ answer: () => jsonResponse({ access_token: 'new' }) });
    const data = {
      ...byUser({ access_token: 'old', refresh_token: 'r1', expires_in: 1, expiresAt: 5, instance: 'x' }),
      authentication: 'body',
      sendAdditionalBodyProperties: true,
      additionalBodyProperties: '{"audience":"me"}',
    };
    const renewed = await refreshToken(data, ports, signal);
    expect(ports.requests[0]?.body).toBe(
      'grant_type=refresh_token&refresh_token=r1&client_id=my+id&client_secret=s%26t&audience=me',
    );
    expect(tokenOf(renewed)).toEqual({ access_token: 'new', refresh_token: 'r1', expires_in: 1, instance: 'x' });
  });

  test('a rotated refresh token replaces the old one', async () => {
    const ports = fakePorts({ answer: () => jsonResponse({ access_token: 'new', refresh_token: 'r2', expires_in: 60 }) });
    expect(tokenOf(await refreshToken(byUser({ refresh_token: 'r1' }), ports, signal))).toMatchObject({ refresh_token: 'r2' });
  });

  test('reads a form-encoded response', async () => {
    const answer = () => ({ ...jsonResponse(''), body: Buffer.from('access_token=t&scope=repo') });
    expect(tokenOf(await refreshToken(own, fakePorts({ answer }), signal))).toEqual({ access_token: 't', scope: 'repo' });
  });

  test.each([
    [400, { error: 'invalid_grant', error_description: 'expired' }, 'invalid_grant, expired', false],
    [503, {}, '(503)', true],
    [200, { hello: 1 }, '(200)', false],
  ])('status %d with %j is CREDENTIAL_TOKEN_REFUSED', async (status, body, message, retryable) => {
    await expect(refreshToken(own, fakePorts({ answer: () => jsonResponse(body, status) }), signal)).rejects.toMatchObject({
      code: 'CREDENTIAL_TOKEN_REFUSED',
      message: expect.stringContaining(message),
      retryable,
    });
  });

  test.each<[string, JsonObject, boolean]>([
    [
      'a token that lasts',
      byUser({ access_token: 't', refresh_token: 'r', expires_in: 3600, expiresAt: nowMs + 61_000 }),
      false,
    ],
    [
      'a token that expires within a minute',
      byUser({ access_token: 't', refresh_token: 'r', expires_in: 3600, expiresAt: nowMs + 59_000 }),
      true,
    ],
    [
      'a short-lived token in its first three quarters',
      byUser({ access_token: 't', refresh_token: 'r', expires_in: 20, expiresAt: nowMs + 6_000 }),
      false,
    ],
    [
      'a short-lived token in its last quarter',
      byUser({ access_token: 't', refresh_token: 'r', expires_in: 20, expiresAt: nowMs + 4_000 }),
      true,
    ],
    ['a token without an expiry', byUser({ access_token: 't', refresh_token: 'r' }), false],
    ['a token with an unknown expiry', byUser({ access_token: 't', refresh_token: 'r', expires_in: 3600 }), true],
    ['an expired token that cannot be renewed', byUser({ access_token: 't', expiresAt: 1 }), false],
    ['no authorization at all', byUser({}), false],
    ['client credentials without a token', own, true],
  ])('renewal of %s: %#', (_, data, due) => {
    expect(oAuth2Api.renewal?.isDue(data, nowMs)).toBe(due);
  });

  test('requests include the token; without one they are not sent', async () => {
    expect((await signed(oAuth2Api, get, byUser({ access_token: 't' }), fakePorts())).headers).toEqual({
      authorization: 'Bearer t',
    });
    expect(() => signed(oAuth2Api, get, byUser({}), fakePorts())).rejects.toMatchObject({ code: 'CREDENTIAL_INCOMPLETE' });
  });

  test('a test never uses a user’s refresh token', async () => {
    const ports = fakePorts();
    const data = byUser({ access_token: 't', refresh_token: 'r', expiresAt: 1 });
    expect(await oAuth2Api.test?.(data, ports, signal)).toEqual({ status: 'Error', message: 'the access token has expired' });
    expect(ports.requests).toEqual([]);
  });

  test('a test with client credentials fetches a token', async () => {
    const good = fakePorts({ answer: () => jsonResponse({ access_token: 't' }) });
    expect(await oAuth2Api.test?.(own, good, signal)).toMatchObject({ status: 'OK' });
    const bad = fakePorts({ answer: () => jsonResponse({ error: 'invalid_client', error_description: 'not s&t' }, 401) });
    expect(await oAuth2Api.test?.({ ...own, clientSecret: 'secret' }, bad, signal)).toMatchObject({
      status: 'Error',
      message: expect.stringContaining('invalid_client'),
    });
  });
});

describe('googleApi', () => {
  const data: JsonObject = { email: 'robot@p.iam.example', privateKey: privateKey.replaceAll('\n', '\\n'), scopes: 'a, b' };

  test('a signed assertion is exchanged for a token', async () => {
    const ports = fakePorts({ answer: () => jsonResponse({ access_token: 't', expires_in: 3599 }) });
    const renewed = await googleApi.renewal?.renew({ ...data, inpersonate: true, delegatedEmail: 'u@x' }, ports, signal);
    const [request] = ports.requests;
    const form = new URLSearchParams(String(request?.body));
    const { payload } = await jwtVerify(form.get('assertion') ?? '', (await import('node:crypto')).createPublicKey(publicKey), {
      currentDate: new Date(nowMs),
    });
    expect([request?.url, form.get('grant_type')]).toEqual([
      'https://oauth2.googleapis.com/token',
      'urn:ietf:params:oauth:grant-type:jwt-bearer',
    ]);
    expect(payload).toEqual({
      iss: 'robot@p.iam.example',
      sub: 'u@x',
      aud: 'https://oauth2.googleapis.com/token',
      scope: 'a b',
      iat: nowMs / 1000,
      exp: nowMs / 1000 + 3_600,
    });
    expect(renewed?.['oauthTokenData']).toMatchObject({ access_token: 't', expiresAt: nowMs + 3_599_000 });
  });

  test.each([
    [{}, ['cloud-platform', 'drive', 'spreadsheets', 'documents', 'presentations', 'calendar']],
    [{ inpersonate: true, delegatedEmail: 'u@x' }, ['cloud-platform']],
  ])('without scopes and with %j, requests %j', async (more, scopes) => {
    const ports = fakePorts({ answer: () => jsonResponse({ access_token: 't' }) });
    await googleApi.renewal?.renew({ ...data, scopes: '', ...more }, ports, signal);
    const [, claims = ''] = new URLSearchParams(String(ports.requests[0]?.body)).get('assertion')?.split('.') ?? [];
    const { scope } = JSON.parse(Buffer.from(claims, 'base64url').toString());
    expect(scope.split(' ')).toEqual(scopes.map((name) => `https://www.googleapis.com/auth/${name}`));
  });

  test('renewal is due without a token, and shortly before its expiry', () => {
    const due = (token: JsonObject) => googleApi.renewal?.isDue({ ...data, oauthTokenData: token }, nowMs);
    expect([
      due({}),
      due({ access_token: 't', expiresAt: nowMs + 1 }),
      due({ access_token: 't', expiresAt: nowMs + 61_000 }),
    ]).toEqual([true, true, false]);
  });

  test('reports an unreadable key without showing it', async () => {
    const result = await googleApi.test?.({ ...data, privateKey: 'not a key' }, fakePorts(), signal);
    expect(result).toEqual({ status: 'Error', message: 'the field "privateKey" is not a readable PEM key' });
  });
});

describe('jwtAuth', () => {
  const bearer = async (data: JsonObject) =>
    String((await signed(jwtAuth, get, data, fakePorts())).headers?.['authorization']).replace('Bearer ', '');

  test('a token signed with the secret is valid for five minutes', async () => {
    const token = await bearer({ secret: 'top secret', algorithm: 'HS512' });
    const { payload, protectedHeader } = await jwtVerify(token, Buffer.from('top secret'), { currentDate: new Date(nowMs) });
    expect(protectedHeader).toEqual({ alg: 'HS512', typ: 'JWT' });
    expect(payload).toEqual({ iat: nowMs / 1000, exp: nowMs / 1000 + 300 });
  });

  test('checks that PEM keys match, even if pasted as one line', async () => {
    const data = { keyType: 'pemKey', algorithm: 'RS256', privateKey: privateKey.replaceAll('\n', ' '), publicKey };
    expect(await jwtAuth.test?.(data, fakePorts(), signal)).toMatchObject({ status: 'OK' });
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ type: 'spki', format: 'pem' });
    expect(await jwtAuth.test?.({ ...data, publicKey: String(other) }, fakePorts(), signal)).toMatchObject({ status: 'Error' });
  });

  test('rejects a key that does not match the algorithm', async () => {
    const data = { keyType: 'pemKey', algorithm: 'ES256', privateKey };
    expect(await jwtAuth.test?.(data, fakePorts(), signal)).toMatchObject({ status: 'Error' });
  });
});
