import { defineCredentialType, type TestCredential } from '@sluice/node-sdk';
import { openPostgres } from '../clients/postgres-client.ts';
import { allowUnauthorizedCerts, choice, flag, port, secret, text, wholeNumber } from './shared/properties.ts';
import { succeeded } from './shared/service-test.ts';

const test: TestCredential = async (data, ports, signal) => {
  const client = await openPostgres(data, ports, signal);
  try {
    await client.query('SELECT 1');
    return succeeded();
  } finally {
    await client.end();
  }
};

export const postgres = defineCredentialType({
  name: 'postgres',
  displayName: 'Postgres',
  documentation: 'https://www.postgresql.org/docs/current/libpq-connect.html',
  properties: [
    text('host', 'Host', { initial: 'localhost', required: true }),
    text('database', 'Database', { keepsSecrets: true, initial: 'postgres' }),
    text('user', 'User', { keepsSecrets: true, initial: 'postgres' }),
    secret('password', 'Password'),
    wholeNumber('maxConnections', 'Maximum Number of Connections', 100, [1, 1_000]),
    choice('ssl', 'SSL', [
      ['disable', 'Disable'],
      ['allow', 'Allow'],
      ['require', 'Require'],
    ]),
    allowUnauthorizedCerts,
    port(5432),
    flag('sshTunnel', 'SSH Tunnel', { description: 'Not supported yet' }),
  ],
  test,
});
