import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { verifyJwt } from '../../credentials/jwt-auth.ts';
import { runForJson } from '../../testing/fake-context.ts';
import { jwt } from './jwt.ts';

const credentials = { jwtAuth: { keyType: 'passphrase', secret: 'a secret of at least 32 characters', algorithm: 'HS256' } };
const run = (parameters: JsonObject, more: Parameters<typeof runForJson>[1] = {}) =>
  runForJson(jwt, { parameters, credentials, ...more });

async function sign(parameters: JsonObject): Promise<string> {
  const [item] = await run({ operation: 'sign', ...parameters });
  return String(item?.['token']);
}

const signJson = (claims: JsonObject, options: JsonObject = {}) =>
  sign({ useJson: true, claimsJson: JSON.stringify(claims), options });
/** A token with this header and the claim `sub`, signed with the credential's secret. */
function signedWith(header: JsonObject): string {
  const head = [header, { sub: 'ada' }].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${head}.${createHmac('sha256', credentials.jwtAuth.secret).update(head).digest('base64url')}`;
}
const now = () => Math.floor(Date.now() / 1000);

describe('jwt 1', () => {
  test('a signed token verifies, and returns its payload', async () => {
    const token = await signJson({ sub: 'ada', iat: 5 });
    expect(await run({ operation: 'verify', token })).toEqual([{ payload: { sub: 'ada', iat: 5 } }]);
  });

  test('header and signature are returned on request', async () => {
    const token = await signJson({ iat: 5 }, { kid: 'key-1' });
    const [item] = await run({ operation: 'decode', token, options: { complete: true } });
    expect(item).toEqual({
      header: { alg: 'HS256', typ: 'JWT', kid: 'key-1' },
      payload: { iat: 5 },
      signature: token.split('.')[2],
    });
  });

  test('claims become registered claims, and times are relative to now', async () => {
    const claims = { audience: 'a', expiresIn: 60, issuer: 'i', jwtid: 'j', notBefore: 5, subject: 's' };
    const before = now();
    const token = await sign({ claims });
    const [item] = await run({ operation: 'decode', token });
    const payload = item?.['payload'] as JsonObject;
    expect(payload).toMatchObject({ aud: 'a', iss: 'i', jti: 'j', sub: 's' });
    expect(Number(payload['exp']) - Number(payload['nbf'])).toBe(55);
    expect(Number(payload['exp'])).toBeGreaterThanOrEqual(before + 60);
  });

  test.each(['exp', 'nbf', 'iat'])('the claim %s must be a number', async (claim) => {
    for (const wrong of ['soon', '5', null]) await expect(signJson({ [claim]: wrong })).rejects.toThrow(`the claim "${claim}"`);
  });

  test.each<[string, (token: string) => string]>([
    ['another signature', (token) => `${token.slice(0, -3)}abc`],
    ['another payload', (token) => token.replace(/\.[^.]+\./, `.${Buffer.from('{"sub":"eve"}').toString('base64url')}.`)],
    ['the algorithm "none"', (token) => `${Buffer.from('{"alg":"none"}').toString('base64url')}.${token.split('.')[1]}.`],
  ])('a token with %s does not verify', async (_, change) => {
    const token = change(await signJson({ sub: 'ada' }));
    await expect(run({ operation: 'verify', token })).rejects.toThrow('signature of the token is not valid');
  });

  test.each<[string, JsonObject]>([
    ['crit', { crit: ['b64'], b64: true }],
    ['crit', { crit: ['b64'], b64: false }],
    ['crit', { crit: ['exp'], exp: 1 }],
    ['crit', { crit: [] }],
    ['b64', { b64: false }],
  ])('a validly signed token with the header "%s" does not verify: %j', async (name, more) => {
    const token = signedWith({ alg: 'HS256', ...more });
    await expect(run({ operation: 'verify', token })).rejects.toThrow(`the header "${name}" of the token is not supported`);
    expect(await verifyJwt(credentials.jwtAuth, token, Date.now())).toBeUndefined();
  });

  test('a validly signed token with an unknown header that is not critical verifies', async () => {
    const token = signedWith({ alg: 'HS256', color: 'green' });
    expect(await run({ operation: 'verify', token })).toEqual([{ payload: { sub: 'ada' } }]);
    expect(await verifyJwt(credentials.jwtAuth, token, Date.now())).toEqual({ sub: 'ada' });
  });

  test.each([
    ['exp', -10, 'expired at', { ignoreExpiration: true }],
    ['nbf', 100, 'not valid before', { ignoreNotBefore: true }],
  ])(
    'the claim %s is checked, unless it is ignored or within the clock tolerance',
    async (claim, offset, message, ignoring) => {
      const token = await signJson({ [claim]: now() + offset });
      await expect(run({ operation: 'verify', token })).rejects.toThrow(message);
      expect(await run({ operation: 'verify', token, options: ignoring })).toHaveLength(1);
      expect(await run({ operation: 'verify', token, options: { clockTolerance: 1_000 } })).toHaveLength(1);
    },
  );

  test('a token signed with an algorithm other than the credential’s does not verify', async () => {
    const token = await signJson({}, { algorithm: 'HS512' });
    await expect(run({ operation: 'verify', token })).rejects.toThrow('signature');
    expect(await run({ operation: 'verify', token, options: { algorithm: 'HS512' } })).toHaveLength(1);
  });

  const long = Buffer.from(`{"a":[${'{},'.repeat(300_000)}1]}`).toString('base64url');

  test.each(['', 'x', 'x.y.z', 'bm8.bm8.bm8', 'a.b.c.d', `e30.${long}.x`])('decode refuses %.20j', async (token) => {
    await expect(run({ operation: 'decode', token })).rejects.toThrow(/not a JSON Web Token|"token" is required/);
  });

  test('an algorithm that is unknown or does not fit the key is refused', async () => {
    await expect(signJson({}, { algorithm: 'RS256' })).rejects.toThrow('does not fit the algorithm');
    await expect(signJson({}, { algorithm: 'none' })).rejects.toThrow('"none" is not known');
  });

  test('an invalid token fails only its item if the node continues', async () => {
    const token = await signJson({ iat: 1 });
    const results = await run(
      { operation: 'decode' },
      {
        json: [{}, {}],
        parameters: (index: number) => ({ operation: 'decode', token: index === 0 ? 'x' : token }),
        continueOnFail: true,
      },
    );
    expect(results).toEqual([{ error: 'the token is not a JSON Web Token' }, { payload: { iat: 1 } }]);
  });
});
