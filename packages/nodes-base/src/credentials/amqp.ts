import { defineCredentialType, type TestCredential } from '@sluice/node-sdk';
import { openAmqp } from '../clients/amqp-client.ts';
import { choice, port, secret, text } from './shared/properties.ts';
import { succeeded } from './shared/service-test.ts';

const test: TestCredential = async (data, ports, signal) => {
  const client = await openAmqp(data, ports, signal);
  await client.close();
  return succeeded();
};

export const amqp = defineCredentialType({
  name: 'amqp',
  displayName: 'AMQP',
  documentation: 'https://www.amqp.org/resources/specifications',
  properties: [
    text('hostname', 'Hostname', { required: true }),
    port(5672),
    text('username', 'User', { keepsSecrets: true, description: 'Empty if the broker requires no login' }),
    secret('password', 'Password'),
    choice('transportType', 'Transport Type', [
      ['', 'TCP'],
      ['tcp', 'TCP'],
      ['tls', 'TLS'],
    ]),
  ],
  test,
});
