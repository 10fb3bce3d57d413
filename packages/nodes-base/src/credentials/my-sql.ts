import { defineCredentialType, type TestCredential } from '@sluice/node-sdk';
import { openMySql } from '../clients/my-sql-client.ts';
import { flag, port, secret, secretBlock, text, wholeNumber } from './shared/properties.ts';
import { succeeded } from './shared/service-test.ts';

const test: TestCredential = async (data, ports, signal) => {
  const connection = await openMySql(data, ports, signal);
  try {
    await connection.query('SELECT 1');
    return succeeded();
  } finally {
    connection.destroy();
  }
};

const withTls = { show: { ssl: [true] } };

export const mySql = defineCredentialType({
  name: 'mySql',
  displayName: 'MySQL',
  documentation: 'https://dev.mysql.com/doc/refman/8.4/en/connecting.html',
  properties: [
    text('host', 'Host', { initial: 'localhost', required: true }),
    text('database', 'Database', { keepsSecrets: true }),
    text('user', 'User', { keepsSecrets: true, initial: 'root' }),
    secret('password', 'Password'),
    port(3306),
    wholeNumber('connectTimeout', 'Connect Timeout', 10_000, [1, 600_000], { description: 'Milliseconds' }),
    flag('ssl', 'SSL'),
    text('caCertificate', 'CA Certificate', { ...withTls, pinsDestination: true }),
    secretBlock('clientPrivateKey', 'Client Private Key', withTls),
    text('clientCertificate', 'Client Certificate', withTls),
    flag('sshTunnel', 'SSH Tunnel', { description: 'Not supported yet' }),
  ],
  test,
});
