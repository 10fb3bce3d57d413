import { promisify } from 'node:util';
import { defineCredentialType, type TestCredential } from '@sluice/node-sdk';
import { openSsh } from '../clients/ssh-client.ts';
import { port, secret, secretBlock, text } from './shared/properties.ts';
import { succeeded } from './shared/service-test.ts';

const test: TestCredential = async (data, ports, signal) => {
  const client = await openSsh(data, ports, signal);
  try {
    await promisify(client.sftp.bind(client))();
    return succeeded();
  } finally {
    client.destroy();
  }
};

export const sftp = defineCredentialType({
  name: 'sftp',
  displayName: 'SFTP',
  properties: [
    text('host', 'Host', { required: true }),
    port(22),
    text('username', 'Username', { required: true }),
    secret('password', 'Password'),
    secretBlock('privateKey', 'Private Key', { description: 'OpenSSH or PEM' }),
    secret('passphrase', 'Passphrase'),
  ],
  test,
});
