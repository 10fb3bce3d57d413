import { createSecureContext } from 'node:tls';
import { defineCredentialType, type TestCredential } from '@sluice/node-sdk';
import { certificatesOf } from '../shared/http/client-certificates.ts';
import { secret, secretBlock } from './shared/properties.ts';
import { succeeded } from './shared/service-test.ts';

/** No service is asked: that the certificates can be read, and the key belongs to them, is all that there is to see. */
const test: TestCredential = async (data) => {
  const { ca, cert, key, passphrase } = certificatesOf(data);
  createSecureContext({ ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }), ...(passphrase && { passphrase }) });
  return succeeded();
};

/** Certificates for requests: of the authority that vouches for the service, and of the client. */
export const httpSslAuth = defineCredentialType({
  name: 'httpSslAuth',
  displayName: 'SSL Certificates',
  properties: [
    secretBlock('ca', 'CA', { description: 'Certificates of authorities, PEM, in place of the public ones' }),
    secretBlock('cert', 'Certificate', { description: 'Of the client, PEM' }),
    secretBlock('key', 'Private Key', { description: 'Of the client, PEM' }),
    secret('passphrase', 'Passphrase'),
  ],
  test,
});
