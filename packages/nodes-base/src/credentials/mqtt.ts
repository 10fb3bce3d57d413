import { defineCredentialType, type TestCredential } from '@sluice/node-sdk';
import { openMqtt } from '../clients/mqtt-client.ts';
import { choice, flag, port, secret, secretBlock, text } from './shared/properties.ts';
import { succeeded } from './shared/service-test.ts';

const test: TestCredential = async (data, ports, signal) => {
  const client = await openMqtt(data, ports, signal);
  await client.close();
  return succeeded();
};

const withTls = { show: { ssl: [true] } };
const withCertificates = { show: { ssl: [true], passwordless: [true] } };

export const mqtt = defineCredentialType({
  name: 'mqtt',
  displayName: 'MQTT',
  documentation: 'https://mqtt.org/mqtt-specification/',
  properties: [
    choice('protocol', 'Protocol', [
      ['mqtt', 'Mqtt'],
      ['mqtts', 'Mqtts'],
      ['ws', 'Ws (not supported yet)'],
    ]),
    text('host', 'Host', { required: true }),
    port(1883),
    text('username', 'Username', { keepsSecrets: true }),
    secret('password', 'Password'),
    flag('clean', 'Clean Session', {
      initial: true,
      description: 'Whether the broker discards the session when the client disconnects',
    }),
    text('clientId', 'Client ID', { description: 'Empty: a unique ID for each connection' }),
    flag('ssl', 'SSL'),
    flag('passwordless', 'Passwordless', { initial: true, description: 'Whether to log in with certificates', ...withTls }),
    secretBlock('ca', 'CA Certificates', { ...withTls, pinsDestination: true }),
    flag('rejectUnauthorized', 'Reject Unauthorized Certificate', { initial: true, ...withTls }),
    secretBlock('cert', 'Client Certificate', withCertificates),
    secretBlock('key', 'Client Key', withCertificates),
  ],
  test,
});
