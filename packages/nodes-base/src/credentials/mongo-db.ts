import { defineCredentialType, type TestCredential } from '@sluice/node-sdk';
import { openMongo } from '../clients/mongo-client.ts';
import { choice, flag, port, secret, secretBlock, text } from './shared/properties.ts';
import { succeeded } from './shared/service-test.ts';

const test: TestCredential = async (data, ports, signal) => {
  const { client, close } = await openMongo(data, ports, signal);
  try {
    await client.db('admin').command({ ping: 1 });
    return succeeded();
  } finally {
    await close();
  }
};

const asValues = { show: { configurationType: ['values'] } };
const withTls = { show: { tls: [true] } };

export const mongoDb = defineCredentialType({
  name: 'mongoDb',
  displayName: 'MongoDB',
  documentation: 'https://www.mongodb.com/docs/manual/reference/connection-string/',
  properties: [
    choice('configurationType', 'Configuration Type', [
      ['connectionString', 'Connection String'],
      ['values', 'Values'],
    ]),
    secret('connectionString', 'Connection String', { required: true, show: { configurationType: ['connectionString'] } }),
    text('host', 'Host', { initial: 'localhost', ...asValues }),
    text('database', 'Database'),
    text('user', 'User', asValues),
    secret('password', 'Password', asValues),
    port(27_017, asValues),
    flag('tls', 'Use TLS'),
    text('ca', 'CA Certificate', { ...withTls, pinsDestination: true }),
    text('cert', 'Public Client Certificate', withTls),
    secretBlock('key', 'Private Client Key', withTls),
    secret('passphrase', 'Passphrase', withTls),
  ],
  test,
});
