import { defineCredentialType, type TestCredential } from '@sluice/node-sdk';
import { openImap } from '../clients/imap-client.ts';
import { allowUnauthorizedCerts, flag, port, secret, text } from './shared/properties.ts';
import { succeeded } from './shared/service-test.ts';

const test: TestCredential = async (data, ports, signal) => {
  const { close } = await openImap(data, ports, signal);
  await close();
  return succeeded();
};

export const imap = defineCredentialType({
  name: 'imap',
  displayName: 'IMAP',
  properties: [
    text('user', 'User', { keepsSecrets: true, required: true }),
    secret('password', 'Password', { required: true }),
    text('host', 'Host', { required: true }),
    port(993),
    flag('secure', 'SSL/TLS', { initial: true, description: 'Whether to use TLS from the start of the connection' }),
    allowUnauthorizedCerts,
  ],
  test,
});
