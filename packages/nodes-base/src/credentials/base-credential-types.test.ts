import { describe, expect, test } from '@jest/globals';
import { type CredentialType, type JsonObject, validateCredentialType } from '@sluice/node-sdk';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { connectedData, oAuth2Samples } from '../testing/oauth2-samples.ts';
import { serviceSamples } from '../testing/service-samples.ts';
import { baseCredentialTypes } from './base-credential-types.ts';
import { createCredentialTypeRegistry } from './credential-type-registry.ts';

/** For each type: valid data, invalid data, and fields that are never shown. */
const table: Record<string, { good: JsonObject[]; bad: JsonObject[]; secrets: string[] }> = {
  httpBasicAuth: {
    good: [{ user: 'u', password: 'p' }, { user: 'key' }, { user: '', password: 'pat' }],
    bad: [{}, { user: 5 }],
    secrets: ['password'],
  },
  httpBearerAuth: { good: [{ token: 't' }], bad: [{}, { token: '' }], secrets: ['token'] },
  httpCustomAuth: {
    good: [{ json: '{"headers":{"x-key":"v"}}' }, { json: { qs: { key: 'v' } } }],
    bad: [{}, { json: 5 }],
    secrets: ['json'],
  },
  httpDigestAuth: { good: [{ user: 'u', password: 'p' }], bad: [{ user: '' }, { password: 'p' }], secrets: ['password'] },
  httpHeaderAuth: {
    good: [{ name: 'X-Key', value: 'v' }],
    bad: [{ name: 'X-Key' }, { name: 'X-Key', value: 1 }],
    secrets: ['value'],
  },
  httpQueryAuth: { good: [{ name: 'key', value: 'v' }], bad: [{ value: 'v' }], secrets: ['value'] },
  httpSslAuth: {
    good: [{}, { ca: 'PEM', cert: 'PEM', key: 'PEM', passphrase: 'p' }],
    bad: [{ cert: 5 }],
    secrets: ['ca', 'cert', 'key', 'passphrase'],
  },
  oAuth1Api: {
    good: [
      {
        authUrl: 'a',
        accessTokenUrl: 'b',
        requestTokenUrl: 'c',
        consumerKey: 'd',
        consumerSecret: 'e',
        signatureMethod: 'HMAC-SHA1',
      },
    ],
    bad: [
      {
        authUrl: 'a',
        accessTokenUrl: 'b',
        requestTokenUrl: 'c',
        consumerKey: 'd',
        consumerSecret: 'e',
        signatureMethod: 'MD5',
      },
      {},
    ],
    secrets: ['consumerSecret', 'oauthTokenData'],
  },
  oAuth2Api: {
    good: [
      { grantType: 'clientCredentials', accessTokenUrl: 'https://t', clientId: 'i', clientSecret: 's' },
      {
        authUrl: 'https://a',
        accessTokenUrl: 'https://t',
        clientId: 'i',
        clientSecret: 's',
        oauthTokenData: { access_token: 't' },
      },
      { grantType: 'pkce', authUrl: 'https://a', accessTokenUrl: 'https://t', clientId: 'i' },
    ],
    bad: [
      { accessTokenUrl: 'https://t', clientId: 'i', clientSecret: 's' },
      { grantType: 'clientCredentials', accessTokenUrl: 'https://t', clientId: 'i' },
      { grantType: 'magic', authUrl: 'https://a', accessTokenUrl: 'https://t', clientId: 'i', clientSecret: 's' },
    ],
    secrets: ['clientSecret', 'oauthTokenData'],
  },
  totpApi: { good: [{ secret: 'GEZDGNBV', label: 'l' }], bad: [{ label: 'l' }], secrets: ['secret'] },
  jwtAuth: {
    good: [{ secret: 's' }, { keyType: 'pemKey', privateKey: 'k', algorithm: 'RS256' }],
    bad: [{}, { keyType: 'passphrase', secret: '' }, { secret: 's', algorithm: 'none' }],
    secrets: ['secret', 'privateKey'],
  },
  crypto: {
    good: [{}, { hmacSecret: 's' }, { signPrivateKey: 'k', encryptionPassphrase: 'p', encryptionPublicKey: 'k' }],
    bad: [{ hmacSecret: { a: 1 } }, { encryptionPassphrase: 5 }],
    secrets: ['hmacSecret', 'signPrivateKey', 'encryptionPassphrase', 'encryptionPrivateKey'],
  },
  webhookSignature: {
    good: [{ secret: 's' }, { scheme: 'custom', secret: 's', algorithm: 'sha512', encoding: 'base64', toleranceSeconds: 60 }],
    bad: [{}, { secret: '' }, { secret: 's', algorithm: 'md5' }, { secret: 's', toleranceSeconds: 0 }],
    secrets: ['secret'],
  },
  postgres: {
    good: [{ host: 'h', database: 'd', user: 'u', password: 'p', port: 5432, ssl: 'require' }],
    bad: [{}, { host: 'h', port: 0 }, { host: 'h', ssl: 'maybe' }],
    secrets: ['password'],
  },
  mySql: {
    good: [{ host: 'h', ssl: true, caCertificate: 'c' }],
    bad: [{ host: 'h', port: 70_000 }],
    secrets: ['password', 'clientPrivateKey'],
  },
  mongoDb: {
    good: [
      { connectionString: 'mongodb://h/d' },
      { configurationType: 'values', host: 'h', user: 'u', password: 'p', port: 1 },
    ],
    bad: [{}, { configurationType: 'connectionString', host: 'h' }],
    secrets: ['connectionString', 'password', 'key', 'passphrase'],
  },
  redis: {
    good: [{ host: 'h', port: 6379, database: 2, ssl: false }],
    bad: [{ host: 'h', database: -1 }, { port: 1 }],
    secrets: ['password'],
  },
  smtp: {
    good: [{ host: 'h', user: 'u', password: 'p', secure: false }],
    bad: [{ host: 'h', secure: 'no' }, {}],
    secrets: ['password'],
  },
  imap: { good: [{ host: 'h', user: 'u', password: 'p' }], bad: [{ host: 'h' }], secrets: ['password'] },
  ftp: {
    good: [{ host: 'h' }, { host: 'h', port: 21, username: 'u', password: 'p' }],
    bad: [{ port: 21 }],
    secrets: ['password'],
  },
  sftp: {
    good: [{ host: 'h', username: 'u', privateKey: 'k' }],
    bad: [{ host: 'h' }],
    secrets: ['password', 'privateKey', 'passphrase'],
  },
  sshPassword: {
    good: [{ host: 'h', username: 'u', password: 'p' }],
    bad: [{ host: 'h', username: 'u' }],
    secrets: ['password'],
  },
  sshPrivateKey: {
    good: [{ host: 'h', username: 'u', privateKey: 'k' }],
    bad: [{ host: 'h', username: 'u', password: 'p' }],
    secrets: ['privateKey', 'passphrase'],
  },
  mqtt: {
    good: [{ host: 'h' }, { host: 'h', port: 8883, protocol: 'mqtts', username: 'u', password: 'p', clientId: 'c', ssl: true }],
    bad: [{}, { host: 'h', protocol: 'http' }, { host: 'h', port: 0 }],
    secrets: ['password', 'ca', 'cert', 'key'],
  },
  rabbitmq: {
    good: [{ hostname: 'h' }, { hostname: 'h', port: 5671, username: 'u', password: 'p', vhost: '/v', ssl: true, ca: 'PEM' }],
    bad: [{}, { hostname: 'h', ssl: 'yes' }],
    secrets: ['password', 'ca', 'cert', 'key', 'passphrase'],
  },
  amqp: {
    good: [{ hostname: 'h' }, { hostname: 'h', port: 5671, username: 'u', password: 'p', transportType: 'tls' }],
    bad: [{ port: 5672 }, { hostname: 'h', transportType: 'ws' }],
    secrets: ['password'],
  },
  kafka: {
    good: [
      { brokers: 'a:9092, b:9092' },
      { brokers: 'a:9092', authentication: true, username: 'u', password: 'p', saslMechanism: 'scram-sha-256' },
    ],
    bad: [{}, { brokers: 'a:9092', authentication: true, username: 'u' }, { brokers: 'a:9092', saslMechanism: 'aws' }],
    secrets: ['password'],
  },
  aws: {
    good: [
      { region: 'eu-central-1', accessKeyId: 'a', secretAccessKey: 's' },
      { region: 'r', accessKeyId: 'a', secretAccessKey: 's', temporaryCredentials: true, sessionToken: 't' },
    ],
    bad: [
      { region: 'r', accessKeyId: 'a' },
      { region: 'r', accessKeyId: 'a', secretAccessKey: 's', temporaryCredentials: true },
    ],
    secrets: ['secretAccessKey', 'sessionToken'],
  },
  s3: {
    good: [{ endpoint: 'https://s3.example', accessKeyId: 'a', secretAccessKey: 's', forcePathStyle: true }],
    bad: [{ accessKeyId: 'a', secretAccessKey: 's' }],
    secrets: ['secretAccessKey'],
  },
  googleApi: {
    good: [
      { email: 'e@x', privateKey: 'k' },
      { email: 'e@x', privateKey: 'k', inpersonate: true, delegatedEmail: 'u@x' },
    ],
    bad: [{ email: 'e@x' }, { email: 'e@x', privateKey: 'k', inpersonate: true }],
    secrets: ['privateKey', 'oauthTokenData'],
  },
  azureStorage: { good: [{ account: 'a', key: 'k' }], bad: [{ account: 'a' }], secrets: ['key'] },
  slackApi: { good: [{ accessToken: 't' }], bad: [{ signatureSecret: 's' }], secrets: ['accessToken', 'signatureSecret'] },
  telegramApi: {
    good: [{ accessToken: 't', baseUrl: 'https://t.example' }],
    bad: [{ accessToken: '' }],
    secrets: ['accessToken'],
  },
  githubApi: {
    good: [{ server: 'https://g.example', user: 'u', accessToken: 't' }],
    bad: [{ user: 'u' }],
    secrets: ['accessToken'],
  },
  notionApi: { good: [{ apiKey: 'k' }], bad: [{}], secrets: ['apiKey'] },
  airtableTokenApi: { good: [{ accessToken: 't' }], bad: [{ accessToken: null }], secrets: ['accessToken'] },
  openAiApi: {
    good: [
      { apiKey: 'k', organizationId: 'o' },
      { apiKey: 'k', header: true, headerName: 'n', headerValue: 'v' },
    ],
    bad: [{ apiKey: 'k', header: true }, {}],
    secrets: ['apiKey', 'headerValue'],
  },
  weaviateApi: {
    good: [
      { weaviate_cloud_endpoint: 'c1.weaviate.example', weaviate_api_key: 'k' },
      { connection_type: 'custom_connection', custom_connection_http_host: 'db', custom_connection_http_port: 8080 },
    ],
    bad: [{ weaviate_cloud_endpoint: '' }, { connection_type: 'custom_connection' }, { connection_type: 'x' }],
    secrets: ['weaviate_api_key'],
  },
};

const samples = new Map<string, JsonObject>([
  ...serviceSamples.map(({ type, data }) => [type, data] as const),
  ...oAuth2Samples.map((sample) => [sample.type, connectedData(sample)] as const),
]);

/**
 * Expectations for a type from sample data: each field of the sample is required, and fields with
 * `s-` are secret.
 */
function fromSample({ name, properties }: CredentialType): (typeof table)[string] {
  const data = samples.get(name) ?? {};
  const required = properties.filter((property) => property.required && !property.displayOptions);
  return {
    good: [data],
    bad: required.map(({ name: missing }) => ({ ...data, [missing]: '' })),
    secrets: properties.map((property) => property.name).filter((field) => JSON.stringify(data[field])?.includes('s-')),
  };
}

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });

test.each(baseCredentialTypes.map((type) => [type.name, type] as const))(
  '%s is a valid name for a type of any package',
  (_, type) => {
    expect(validateCredentialType(type)).toEqual([]);
  },
);

describe.each(baseCredentialTypes.map((type) => [type.name, type] as const))('%s', (name, type) => {
  const expected = table[name] ?? fromSample(type);
  const accepts = ajv.compile(type.schema);

  test('accepts valid data', () => {
    expect(expected.good).not.toEqual([]);
    for (const data of expected.good) expect([data, accepts(data), accepts.errors]).toEqual([data, true, null]);
  });

  test('rejects invalid data', () => {
    expect(expected.bad).not.toEqual([]);
    for (const data of expected.bad) expect([data, accepts(data)]).toEqual([data, false]);
  });

  test('marks its secrets', () => {
    expect(type.secretFields).toEqual(expected.secrets);
  });

  test('can be tested', () => {
    expect(type.test).toBeDefined();
  });

  test('requires its secrets again when a certificate authority or a host key is changed or emptied', () => {
    const pins = type.properties.filter(
      ({ name, type: kind }) => kind !== 'boolean' && /^ca$|^caCert|fingerprint|hostKey/i.test(name),
    );
    expect(pins.filter(({ typeOptions }) => typeOptions?.['pinsDestination'] !== true)).toEqual([]);
  });

  test('has valid defaults for its choices, and conditions on existing fields', () => {
    const names = new Set(type.properties.map((property) => property.name));
    for (const { options = [], default: initial, type: kind, displayOptions = {} } of type.properties) {
      if (kind === 'options') expect(options).toContainEqual(expect.objectContaining({ value: initial }));
      const conditions = Object.keys({ ...displayOptions.show, ...displayOptions.hide });
      expect(conditions.filter((field) => !names.has(field))).toEqual([]);
    }
  });
});

describe('the credential type registry', () => {
  const registry = createCredentialTypeRegistry();

  test('finds types by name, excluding inherited property names', () => {
    expect(registry.find('httpBasicAuth')?.displayName).toBe('Basic Auth');
    expect(registry.find('constructor')).toBeUndefined();
    expect(registry.list()).toBe(baseCredentialTypes);
  });

  test('each name belongs to one type', () => {
    const [first] = baseCredentialTypes;
    expect(() => createCredentialTypeRegistry(first ? [first, first] : [])).toThrow('httpBasicAuth');
    expect(() => createCredentialTypeRegistry(first ? [{ ...first, name: 'canary' }] : [])).toThrow('canary');
  });
});
