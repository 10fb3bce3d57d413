import { defineCredentialType, type TestCredential } from '@sluice/node-sdk';
import { openRedis } from '../clients/redis-client.ts';
import { flag, port, secret, text, wholeNumber } from './shared/properties.ts';
import { succeeded } from './shared/service-test.ts';

const test: TestCredential = async (data, ports, signal) => {
  const client = await openRedis(data, ports, signal);
  client.disconnect();
  return succeeded();
};

export const redis = defineCredentialType({
  name: 'redis',
  displayName: 'Redis',
  documentation: 'https://redis.io/docs/latest/operate/oss_and_stack/management/security/acl/',
  properties: [
    secret('password', 'Password'),
    text('user', 'User', { description: 'Empty if the server has no users' }),
    text('host', 'Host', { initial: 'localhost', required: true }),
    port(6379),
    wholeNumber('database', 'Database Number', 0, [0, 65_535]),
    flag('ssl', 'SSL'),
    flag('disableTlsVerification', 'Disable TLS Verification (Insecure)', { show: { ssl: [true] } }),
  ],
  test,
});
