import { defineCredentialType, type TestCredential } from '@sluice/node-sdk';
import { createSmtpTransport } from '../clients/smtp-client.ts';
import { flag, port, secret, text } from './shared/properties.ts';
import { succeeded } from './shared/service-test.ts';

const test: TestCredential = async (data, ports, signal) => {
  const transport = await createSmtpTransport(data, ports, signal);
  try {
    await transport.verify();
    return succeeded();
  } finally {
    transport.close();
  }
};

export const smtp = defineCredentialType({
  name: 'smtp',
  displayName: 'SMTP',
  properties: [
    text('user', 'User', { keepsSecrets: true }),
    secret('password', 'Password'),
    text('host', 'Host', { required: true }),
    port(465),
    flag('secure', 'SSL/TLS', { initial: true, description: 'Whether TLS is spoken from the first byte' }),
    flag('disableStartTls', 'Disable STARTTLS', { show: { secure: [false] } }),
    text('hostName', 'Client Host Name', { description: 'What the client calls itself to the server' }),
  ],
  test,
});
