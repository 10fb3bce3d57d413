import { generateKeyPairSync, verify } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { type FakeRun, fakeContext, runForJson, runNode } from '../../testing/fake-context.ts';
import { memoryBinary } from '../../testing/memory-binary.ts';
import { crypto } from './crypto.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

/** "abc" encrypted with "correct horse battery staple", using AES-256-GCM. */
const encryptedEarlier = 'AQABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhuOo1J4F2tqi+LpcS8s36PadURg';

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

  test('version 1 reads its secret from a parameter', async () => {
    expect(await result({ action: 'hmac', type: 'SHA256', value: 'abc', secret: 'key' }, 1)).toBe(expected);
    await expect(result({ action: 'hmac', value: 'abc' }, 1)).rejects.toThrow('"secret" is required');
    expect(await result({ action: 'hmac', value: 'abc', secret: ' ' }, 1)).toBe('e0ed90cbb5a65569e3c24ee52d43444a');
  });

  test('version 2 reads it from a credential', async () => {
    const parameters = { action: 'hmac', value: 'abc', secret: 'not this' };
    expect(await result(parameters, 2, { credentials: { crypto: { hmacSecret: 'key' } } })).toBe(expected);
    await expect(result(parameters, 2, { credentials: { crypto: {} } })).rejects.toMatchObject({
      message: expect.stringContaining('"hmacSecret"'),
      code: 'CREDENTIAL_INCOMPLETE',
      itemIndex: 0,
      description: expect.stringContaining('Crypto credential'),
    });
  });
});

describe('sign', () => {
  const parameters = { action: 'sign', value: 'abc', algorithm: 'RSA-SHA256', encoding: 'base64' };
  const isGood = (signature: unknown) =>
    verify('sha256', Buffer.from('abc'), publicKey, Buffer.from(String(signature), 'base64'));

  test('version 1 reads its key from a parameter, version 2 from a credential', async () => {
    expect(isGood(await result({ ...parameters, privateKey }, 1))).toBe(true);
    expect(isGood(await result(parameters, 2, { credentials: { crypto: { signPrivateKey: privateKey } } }))).toBe(true);
  });

  test('an error does not reveal the key', async () => {
    const run = result({ ...parameters, privateKey: 'secret-key' }, 1);
    await expect(run).rejects.toThrow('cannot be signed');
    await expect(run).rejects.not.toThrow('secret-key');
  });

  test('an unknown algorithm is refused', async () => {
    await expect(result({ ...parameters, algorithm: 'ROT13', privateKey }, 1)).rejects.toThrow('"algorithm"');
  });
});

describe.each([1, 2])('generate %d', (version) => {
  test.each<[JsonObject, RegExp]>([
    [{}, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/],
    [{ encodingType: 'hex' }, /^[0-9a-f]{32}$/],
    [{ encodingType: 'ascii', stringLength: 9 }, /^[A-Za-z0-9]{9}$/],
    [{ encodingType: 'base64', stringLength: 10 }, /^[A-Za-z0-9+/=]{10}$/],
  ])('%j generates a different string each time', async (parameters, form) => {
    const texts = await Promise.all([1, 2].map(() => result({ action: 'generate', ...parameters }, version)));
    expect(texts).toEqual([expect.stringMatching(form), expect.stringMatching(form)]);
    expect(texts[0]).not.toBe(texts[1]);
  });

  test('an out-of-range length is refused', async () => {
    expect(await result({ action: 'generate', encodingType: 'hex', stringLength: 0 }, version)).toBe('');
    const parameters = { action: 'generate', encodingType: 'hex', stringLength: 100_001 };
    await expect(result(parameters, version)).rejects.toThrow('"stringLength"');
  });
});

describe.each([1, 2])('a file, version %d', (typeVersion) => {
  const credentials = { crypto: { hmacSecret: 'key' } };

  test.each<[JsonObject, string]>([
    [{ type: 'SHA256' }, 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [{ action: 'hmac', type: 'SHA256', secret: 'key' }, '9c196e32dc0175f86f4b1cb89289d6619de6bee699e4c378e68309ed97a1a6ab'],
  ])('%j is computed over its bytes', async (parameters, expected) => {
    const binary = memoryBinary();
    const file = await binary.store(Buffer.from('abc'), { fileName: 'a.txt' });
    const inputs = [[{ json: {}, binary: { file } }]];
    const named = { ...parameters, binaryData: true, binaryPropertyName: 'file', value: 'not this' };
    expect(await result(named, typeVersion, { binary, inputs, credentials })).toBe(expected);
  });

  test('an item without the file is refused', async () => {
    await expect(result({ binaryData: true }, typeVersion)).rejects.toThrow('item 0 has no file in "data"');
  });
});

describe('encrypt and decrypt', () => {
  const run = (action: string, value: string, crypto: JsonObject, parameters: JsonObject = {}) =>
    result({ action, value, ...parameters }, 2, { credentials: { crypto } });
  const passphrase = { encryptionPassphrase: 'correct horse battery staple' };
  const asymmetric = { mode: 'asymmetric' };

  test.each<[JsonObject, JsonObject]>([
    [{}, passphrase],
    [{ cipher: 'aes-128-gcm' }, passphrase],
    [{ cipher: 'chacha20-poly1305' }, passphrase],
    [asymmetric, { encryptionPublicKey: publicKey, encryptionPrivateKey: privateKey }],
  ])('%j: a string is decrypted again, and is encrypted differently for each item', async (parameters, data) => {
    const runFor = async (action: string, ...values: unknown[]) => {
      const parametersOf = (index: number) => ({ action, value: values[index] as string, ...parameters });
      const run = { parameters: parametersOf, json: values.map(() => ({})), credentials: { crypto: data } };
      return (await runForJson(crypto, run)).map(({ data }) => data);
    };
    const [first, second] = await runFor('encrypt', 'naïve', 'naïve');
    expect(first).not.toBe(second);
    expect(await runFor('decrypt', first, second)).toEqual(['naïve', 'naïve']);
  });

  test('values encrypted earlier can always be decrypted', async () => {
    expect(await run('decrypt', encryptedEarlier, passphrase)).toBe('abc');
  });

  test.each([
    ['aes-256-gcm', 'AYsS9JN3fK4NsIzX+HH7diwbXpRW8xwt9w9aLUKT86SG0AAaOxMwMRaSVb2IcMZX'],
    ['chacha20-poly1305', 'AS/4TPVLzMg89RyqcvqnAj0EEgwQwNpcD57bfTFCe8Aac6Ynv/oGrS4MHKehZAXP'],
  ])('values that were encrypted elsewhere with %s can be decrypted', async (cipher, value) => {
    expect(await run('decrypt', value, { encryptionPassphrase: 'pass' }, { cipher })).toBe('abc');
  });

  test('items of one run share the key, but no IV; runs share no key', async () => {
    const credentials = { crypto: passphrase };
    const run = { parameters: { action: 'encrypt', value: 'abc' }, json: [{}, {}], credentials };
    const results = [await runForJson(crypto, run), await runForJson(crypto, run)].flat();
    const [first = '', second = '', third = ''] = results.map(({ data }) =>
      Buffer.from(String(data), 'base64').toString('hex'),
    );
    expect(first.slice(0, 34)).toBe(second.slice(0, 34));
    expect(first.slice(34, 58)).not.toBe(second.slice(34, 58));
    expect(first.slice(2, 34)).not.toBe(third.slice(2, 34));
  });

  test('a changed value, another passphrase, and another cipher are refused with the same error', async () => {
    const changed = Buffer.from(encryptedEarlier, 'base64');
    changed.writeUInt8(changed.readUInt8(changed.length - 1) ^ 1, changed.length - 1);
    const message = 'cannot be decrypted with this passphrase';
    await expect(run('decrypt', changed.toString('base64'), passphrase)).rejects.toThrow(message);
    await expect(run('decrypt', encryptedEarlier, { encryptionPassphrase: 'wrong' })).rejects.toThrow(message);
    await expect(run('decrypt', encryptedEarlier, passphrase, { cipher: 'aes-192-gcm' })).rejects.toThrow(message);
  });

  test.each(['plain', Buffer.alloc(60).toString('base64'), Buffer.of(1, 2, 3).toString('base64')])(
    '%s was not encrypted by this node',
    async (value) => {
      await expect(run('decrypt', value, passphrase)).rejects.toMatchObject({
        message: expect.stringContaining('was not encrypted by this node'),
        itemIndex: 0,
        description: expect.stringContaining('Encrypt'),
      });
    },
  );

  test('a value that is too long for the key is refused with the limit', async () => {
    const keys = { encryptionPublicKey: publicKey, encryptionPrivateKey: privateKey };
    expect(await run('encrypt', 'a'.repeat(190), keys, asymmetric)).toEqual(expect.any(String));
    await expect(run('encrypt', 'a'.repeat(191), keys, asymmetric)).rejects.toThrow('191 bytes, and this key encrypts 190');
  });

  test.each<[string, JsonObject, JsonObject, string]>([
    ['encrypt', {}, {}, '"encryptionPassphrase"'],
    ['encrypt', asymmetric, {}, '"encryptionPublicKey"'],
    ['decrypt', asymmetric, { encryptionPrivateKey: 'secret-key' }, '"encryptionPrivateKey" is not a'],
    ['decrypt', asymmetric, { encryptionPrivateKey: privateKey }, 'cannot be decrypted with this private key'],
    ['encrypt', { cipher: 'rc4' }, passphrase, '"cipher" must be one of'],
  ])('the error of %s with %j contains the reason', async (action, parameters, data, message) => {
    const failure = run(action, 'abc', data, parameters);
    await expect(failure).rejects.toMatchObject({
      message: expect.stringContaining(message),
      itemIndex: 0,
      description: expect.any(String),
    });
    await expect(failure).rejects.not.toThrow('secret-key');
  });

  test('do not exist in version 1', async () => {
    await expect(result({ action: 'encrypt', value: 'abc' }, 1)).rejects.toThrow('"action" must be one of');
  });

  test('if the node continues, a failed item has an error and the other items succeed', async () => {
    const parameters = (index: number) => ({ action: 'decrypt', value: index === 0 ? 'plain' : encryptedEarlier });
    const run = { parameters, json: [{}, {}], credentials: { crypto: passphrase }, continueOnFail: true };
    expect(await runForJson(crypto, run)).toMatchObject([{ error: expect.anything() }, { data: 'abc' }]);
  });
});

test.each([
  [1, 'the parameter "value" must be a string, but is an object'],
  [
    2,
    expect.objectContaining({
      message: 'the parameter "value" must be a string, but is an object',
      name: 'NodeOperationError',
    }),
  ],
])('if version %d continues, the error of a failed item is %j', async (typeVersion, error) => {
  const run = { typeVersion, parameters: { value: {} }, json: [{}], continueOnFail: true };
  expect(await runForJson(crypto, run)).toEqual([{ error }]);
});

test('the result is added to the item’s fields and files, and a dot in its name is part of the name', async () => {
  const binary = { f: { id: 'f', mimeType: 'text/plain' } };
  const run = { inputs: [[{ json: { a: 1 }, binary }]], parameters: { value: 'a', dataPropertyName: 'o.hash', type: 'MD5' } };
  expect(await runNode(crypto, run)).toEqual([
    [{ json: { a: 1, 'o.hash': '0cc175b9c0f1b6a831c399e269772661' }, binary, pairedItem: { item: 0 } }],
  ]);
});

test.each(['hash', 'hmac', 'sign'])('%s refuses null instead of taking it as empty text', async (action) => {
  const parameters = { action, value: null, secret: 's', algorithm: 'RSA-SHA256', privateKey: 'k', dataPropertyName: 'x' };
  await expect(runNode(crypto, { typeVersion: 1, json: [{}], parameters })).rejects.toThrow('"value"');
});

test.each([
  ['', 'd41d8cd98f00b204e9800998ecf8427e'],
  [null, undefined],
])('an expression that yields %j', async (value, expected) => {
  const context = fakeContext({ json: [{}], parameters: { value, type: 'MD5' }, continueOnFail: true });
  const node = { ...context.node, parameters: { value: '={{ $json.a }}', type: 'MD5' } };
  const [items] = (await crypto.execute?.({ ...context, node })) ?? [];
  expect(items?.[0]?.json['data']).toBe(expected);
});
