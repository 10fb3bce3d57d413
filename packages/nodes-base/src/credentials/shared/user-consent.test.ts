import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { fakePorts, jsonResponse } from '../../testing/credential-ports.ts';
import { authorizationCode } from './user-consent.ts';

const signal = new AbortController().signal;
const request = { redirectUri: 'https://sluice.example/oauth2/callback', state: 's1' };
const client: JsonObject = {
  authUrl: 'https://t.example/auth?tenant=7#top',
  accessTokenUrl: 'https://t.example/token',
  clientId: 'my id',
  clientSecret: 's',
  scope: 'a b',
};

function begin(data: JsonObject) {
  const begun = authorizationCode.begin(data, request, fakePorts());
  return { consentState: begun?.consentState ?? {}, url: new URL(begun?.url ?? 'about:blank') };
}

describe('the authorization code grant', () => {
  test('redirects the user with the parameters of RFC 6749 §4.1.1 and of the URL itself', () => {
    const { url } = begin(client);
    expect(`${url.origin}${url.pathname}${url.hash}`).toBe('https://t.example/auth');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      tenant: '7',
      response_type: 'code',
      client_id: 'my id',
      redirect_uri: request.redirectUri,
      state: 's1',
      scope: 'a b',
    });
  });

  test('adds the credential’s own parameters, which cannot replace the grant’s parameters', () => {
    const own = 'access_type=offline&state=theirs&redirect_uri=https://thief.example&response_type=token&scope=all';
    const { searchParams } = begin({ ...client, authQueryParameters: own }).url;
    expect(searchParams.get('access_type')).toBe('offline');
    for (const [name, value] of [
      ['state', 's1'],
      ['redirect_uri', request.redirectUri],
      ['response_type', 'code'],
      ['scope', 'a b'],
    ] as const) {
      expect(searchParams.getAll(name)).toEqual([value]);
    }
  });

  test('exchanges the code as the client that requested it', async () => {
    const ports = fakePorts({ answer: () => jsonResponse({ access_token: 't', refresh_token: 'r', expires_in: 60 }) });
    const old = { ...client, oauthTokenData: { access_token: 'old', refresh_token: 'of somebody else' } };
    const data = await authorizationCode.complete(
      old,
      { code: 'c&1', consentState: begin(client).consentState },
      ports,
      signal,
    );
    expect(ports.requests[0]).toMatchObject({
      url: 'https://t.example/token',
      body: 'grant_type=authorization_code&code=c%261&redirect_uri=https%3A%2F%2Fsluice.example%2Foauth2%2Fcallback',
      headers: { authorization: `Basic ${btoa('my+id:s')}` },
    });
    const token = { access_token: 't', refresh_token: 'r', expires_in: 60, expiresAt: ports.now() + 60_000 };
    expect(data).toEqual({ ...client, oauthTokenData: token });
  });

  test('with PKCE, sends a verifier’s hash, later the verifier with the code, and needs no secret', async () => {
    const open = { ...client, clientSecret: '', grantType: 'pkce' };
    const { url, consentState } = begin(open);
    expect(url.searchParams.get('code_challenge_method')).toBe('S256');
    expect(url.href).not.toContain(String(consentState['codeVerifier']));
    const ports = fakePorts({ answer: () => jsonResponse({ access_token: 't' }) });
    await authorizationCode.complete(open, { code: 'c', consentState }, ports, signal);
    const form = new URLSearchParams(String(ports.requests[0]?.body));
    const verifier = form.get('code_verifier') ?? '';
    expect(createHash('sha256').update(verifier).digest('base64url')).toBe(url.searchParams.get('code_challenge'));
    expect([form.get('client_id'), form.has('client_secret')]).toEqual(['my id', false]);
  });

  test.each(['authUrl', 'accessTokenUrl', 'clientId'])('does not send the code after %s has changed', async (field) => {
    const ports = fakePorts();
    const changed = { ...client, [field]: 'https://thief.example/' };
    const completed = authorizationCode.complete(
      changed,
      { code: 'c', consentState: begin(client).consentState },
      ports,
      signal,
    );
    await expect(completed).rejects.toMatchObject({ code: 'CREDENTIAL_INCOMPLETE' });
    expect(ports.requests).toEqual([]);
  });

  test.each(['', 'nonsense', 'javascript:alert(1)', 'file:///etc/passwd'])('does not redirect to %j', (authUrl) => {
    expect(() => begin({ ...client, authUrl })).toThrow(/authUrl/);
  });

  test('does not ask a user to authorize client credentials', () => {
    const data = { ...client, grantType: 'clientCredentials' };
    expect(authorizationCode.begin(data, request, fakePorts())).toBeUndefined();
  });
});
