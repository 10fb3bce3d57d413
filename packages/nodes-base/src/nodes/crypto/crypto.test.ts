import { generateKeyPairSync, verify } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { type FakeRun, runForJson, runNode } from '../../testing/fake-context.ts';
import { crypto } from './crypto.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

async function result(parameters: JsonObject, typeVersion: number, more: FakeRun = {}): Promise<unknown> {
  return (await runForJson(crypto, { parameters, typeVersion, ...more }))[0]?.['data'];
}

describe('hash', () => {
  test.each<[number, JsonObject, string]>([
    [1, {}, '900150983cd24fb0d6963f7d28e17f72'],
    [2, {}, 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [2, { type: 'MD5', encoding: 'base64' }, 'kAFQmDzST7DWlj99KOF/cg=='],
    [1, { type: 'SHA3-256' }, '3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532'],
  ])('version %d with %j', async (typeVersion, parameters, expected) => {
    expect(await result({ value: 'abc', ...parameters }, typeVersion)).toBe(expected);
  });
});

describe('hmac', () => {
  const expected = '9c196e32dc0175f86f4b1cb89289d6619de6bee699e4c378e68309ed97a1a6ab';

  test('version 1 has its secret in a parameter', async () => {
    expect(await result({ action: 'hmac', type: 'SHA256', value: 'abc', secret: 'key' }, 1)).toBe(expected);
    await expect(result({ action: 'hmac', value: 'abc' }, 1)).rejects.toThrow('"secret" is required');
  });

  test('version 2 has it in a credential', async () => {
    const parameters = { action: 'hmac', value: 'abc', secret: 'not this' };
    expect(await result(parameters, 2, { credentials: { crypto: { hmacSecret: 'key' } } })).toBe(expected);
    await expect(result(parameters, 2, { credentials: { crypto: {} } })).rejects.toThrow('no "hmacSecret"');
  });
});

describe('sign', () => {
  const parameters = { action: 'sign', value: 'abc', algorithm: 'RSA-SHA256', encoding: 'base64' };
  const isGood = (signature: unknown) =>
    verify('sha256', Buffer.from('abc'), publicKey, Buffer.from(String(signature), 'base64'));

  test('version 1 has its key in a parameter, version 2 in a credential', async () => {
    expect(isGood(await result({ ...parameters, privateKey }, 1))).toBe(true);
    expect(isGood(await result(parameters, 2, { credentials: { crypto: { signPrivateKey: privateKey } } }))).toBe(true);
  });

  test('an error says nothing of the key', async () => {
    const run = result({ ...parameters, privateKey: 'secret-key' }, 1);
    await expect(run).rejects.toThrow('cannot be signed');
    await expect(run).rejects.not.toThrow('secret-key');
  });

  test('an algorithm that is not known is refused', async () => {
    await expect(result({ ...parameters, algorithm: 'ROT13', privateKey }, 1)).rejects.toThrow('"algorithm"');
  });
});

describe.each([1, 2])('generate %d', (version) => {
  test.each<[JsonObject, RegExp]>([
    [{}, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/],
    [{ encodingType: 'hex' }, /^[0-9a-f]{32}$/],
    [{ encodingType: 'ascii', stringLength: 9 }, /^[A-Za-z0-9]{9}$/],
    [{ encodingType: 'base64', stringLength: 10 }, /^[A-Za-z0-9+/=]{10}$/],
  ])('%j makes another text each time', async (parameters, form) => {
    const texts = await Promise.all([1, 2].map(() => result({ action: 'generate', ...parameters }, version)));
    expect(texts).toEqual([expect.stringMatching(form), expect.stringMatching(form)]);
    expect(texts[0]).not.toBe(texts[1]);
  });

  test('a length out of bounds is refused', async () => {
    const parameters = { action: 'generate', encodingType: 'hex', stringLength: 100_001 };
    await expect(result(parameters, version)).rejects.toThrow('"stringLength"');
  });
});

test.each<JsonObject>([{ action: 'encrypt' }, { action: 'hash', binaryData: true }])(
  '%j is refused as not supported',
  async (parameters) => {
    await expect(result(parameters, 2)).rejects.toMatchObject({ code: 'NOT_SUPPORTED' });
  },
);

test('the result goes beside the fields and files of the item, paired with it', async () => {
  const binary = { f: { id: 'f', mimeType: 'text/plain' } };
  const run = { inputs: [[{ json: { a: 1 }, binary }]], parameters: { value: '', dataPropertyName: 'o.hash', type: 'MD5' } };
  expect(await runNode(crypto, run)).toEqual([
    [{ json: { a: 1, o: { hash: 'd41d8cd98f00b204e9800998ecf8427e' } }, binary, pairedItem: { item: 0 } }],
  ]);
});
