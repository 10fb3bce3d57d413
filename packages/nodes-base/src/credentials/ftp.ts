import { defineCredentialType, type TestCredential } from '@sluice/node-sdk';
import { openFtp } from '../clients/ftp-client.ts';
import { port, secret, text } from './shared/properties.ts';
import { succeeded } from './shared/service-test.ts';

const test: TestCredential = async (data, ports, signal) => {
  const client = await openFtp(data, ports, signal);
  try {
    await client.pwd();
    return succeeded();
  } finally {
    client.close();
  }
};

export const ftp = defineCredentialType({
  name: 'ftp',
  displayName: 'FTP',
  properties: [
    text('host', 'Host', { required: true }),
    port(21),
    text('username', 'Username', { keepsSecrets: true }),
    secret('password', 'Password'),
  ],
  test,
});
