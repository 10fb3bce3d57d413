import { defineCredentialType, type TestCredential } from '@sluice/node-sdk';
import { openKafka } from '../clients/kafka-client.ts';
import { choice, flag, secret, text } from './shared/properties.ts';
import { succeeded } from './shared/service-test.ts';

const test: TestCredential = async (data, ports, signal) => {
  const client = await openKafka(data, ports, signal);
  await client.close();
  return succeeded();
};

const withLogin = { required: true, show: { authentication: [true] } };

export const kafka = defineCredentialType({
  name: 'kafka',
  displayName: 'Kafka',
  documentation: 'https://kafka.apache.org/documentation/#security_sasl',
  properties: [
    text('clientId', 'Client ID', { keepsSecrets: true, description: 'Name of this client in the brokers’ logs' }),
    text('brokers', 'Brokers', { required: true, description: 'Hosts with ports, separated by commas: `kafka-1:9092`' }),
    flag('ssl', 'SSL', { initial: true }),
    flag('authentication', 'Authentication', { description: 'Whether the brokers require a login' }),
    text('username', 'Username', { ...withLogin, keepsSecrets: true }),
    secret('password', 'Password', withLogin),
    choice(
      'saslMechanism',
      'SASL Mechanism',
      [
        ['plain', 'Plain'],
        ['scram-sha-256', 'scram-sha-256'],
        ['scram-sha-512', 'scram-sha-512'],
      ],
      { show: { authentication: [true] } },
    ),
  ],
  test,
});
