import { defineCredentialType, type TestCredential } from '@sluice/node-sdk';
import { openSsh } from '../clients/ssh-client.ts';
import { secret, secretBlock } from './shared/properties.ts';
import { succeeded } from './shared/service-test.ts';
import { sshAbilities, sshServer } from './shared/ssh-properties.ts';

const test: TestCredential = async (data, ports, signal) => {
  const client = await openSsh(data, ports, signal);
  client.destroy();
  return succeeded();
};

export const sshPassword = defineCredentialType({
  name: 'sshPassword',
  displayName: 'SSH Password',
  properties: [...sshServer, secret('password', 'Password', { required: true })],
  ...sshAbilities,
  test,
});

export const sshPrivateKey = defineCredentialType({
  name: 'sshPrivateKey',
  displayName: 'SSH Private Key',
  properties: [
    ...sshServer,
    secretBlock('privateKey', 'Private Key', { required: true, description: 'OpenSSH or PEM' }),
    secret('passphrase', 'Passphrase'),
  ],
  ...sshAbilities,
  test,
});
