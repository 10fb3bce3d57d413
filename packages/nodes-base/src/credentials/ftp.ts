import { defineCredentialType, type TestCredential } from '@sluice/node-sdk';
import { tryFtpLogin } from '../clients/ftp-login.ts';
import { port, secret, text } from './shared/properties.ts';
import { succeeded } from './shared/service-test.ts';

const test: TestCredential = async (data, ports, signal) => {
  await tryFtpLogin(data, ports, signal);
  return succeeded();
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
