import { promisify } from 'node:util';
import { defineCredentialType, type TestCredential } from '@sluice/node-sdk';
import { openSsh } from '../clients/ssh-client.ts';
import { secret, secretBlock } from './shared/properties.ts';
import { succeeded } from './shared/service-test.ts';
import { sshAbilities, sshServer } from './shared/ssh-properties.ts';

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
    ...sshServer,
    secret('password', 'Password'),
    secretBlock('privateKey', 'Private Key', { description: 'OpenSSH or PEM' }),
    secret('passphrase', 'Passphrase'),
  ],
  ...sshAbilities,
  test,
});
