import { defineCredentialType, type NodeProperty, type TestCredential } from '@sluice/node-sdk';
import { openSsh } from '../clients/ssh-client.ts';
import { port, secret, secretBlock, text } from './shared/properties.ts';
import { succeeded } from './shared/service-test.ts';

const test: TestCredential = async (data, ports, signal) => {
  const client = await openSsh(data, ports, signal);
  client.destroy();
  return succeeded();
};

const place: readonly NodeProperty[] = [
  text('host', 'Host', { required: true }),
  port(22),
  text('username', 'Username', { required: true }),
];

export const sshPassword = defineCredentialType({
  name: 'sshPassword',
  displayName: 'SSH Password',
  properties: [...place, secret('password', 'Password', { required: true })],
  test,
});

export const sshPrivateKey = defineCredentialType({
  name: 'sshPrivateKey',
  displayName: 'SSH Private Key',
  properties: [
    ...place,
    secretBlock('privateKey', 'Private Key', { required: true, description: 'OpenSSH or PEM' }),
    secret('passphrase', 'Passphrase'),
  ],
  test,
});
