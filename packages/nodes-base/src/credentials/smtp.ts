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
    flag('secure', 'SSL/TLS', { initial: true, description: 'Whether to use TLS from the start of the connection' }),
    flag('disableStartTls', 'Disable STARTTLS', { show: { secure: [false] } }),
    text('hostName', 'Client Host Name', { description: 'Host name that the client sends in its greeting' }),
  ],
  test,
});
