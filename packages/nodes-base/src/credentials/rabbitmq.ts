import { defineCredentialType, type TestCredential } from '@sluice/node-sdk';
import { openRabbitMq } from '../clients/rabbitmq-client.ts';
import { flag, port, secret, secretBlock, text } from './shared/properties.ts';
import { succeeded } from './shared/service-test.ts';

const test: TestCredential = async (data, ports, signal) => {
  const client = await openRabbitMq(data, ports, signal);
  await client.close();
  return succeeded();
};

const withTls = { show: { ssl: [true] } };

export const rabbitmq = defineCredentialType({
  name: 'rabbitmq',
  displayName: 'RabbitMQ',
  documentation: 'https://www.rabbitmq.com/docs/access-control',
  properties: [
    text('hostname', 'Hostname', { required: true }),
    port(5672),
    text('username', 'User', { keepsSecrets: true, initial: 'guest' }),
    secret('password', 'Password'),
    text('vhost', 'Vhost', { initial: '/' }),
    flag('ssl', 'SSL'),
    flag('passwordless', 'Passwordless', {
      description: 'Whether to log in with a certificate. Not supported yet',
      ...withTls,
    }),
    secretBlock('ca', 'CA Certificates', { ...withTls, pinsDestination: true }),
    secretBlock('cert', 'Client Certificate', withTls),
    secretBlock('key', 'Client Key', withTls),
    secret('passphrase', 'Passphrase', withTls),
  ],
  test,
});
