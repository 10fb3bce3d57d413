import { createSecureContext } from 'node:tls';
import { defineCredentialType, type TestCredential } from '@sluice/node-sdk';
import { certificatesOf } from '../shared/http/client-certificates.ts';
import { secret, secretBlock } from './shared/properties.ts';
import { succeeded } from './shared/service-test.ts';

/**
 * Without a service to contact: checks that the certificates are readable and that the key matches.
 */
const test: TestCredential = async (data) => {
  const { ca, cert, key, passphrase } = certificatesOf(data);
  createSecureContext({ ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }), ...(passphrase && { passphrase }) });
  return succeeded();
};

/** Certificates for requests: the certificate authority's and the client's. */
export const httpSslAuth = defineCredentialType({
  name: 'httpSslAuth',
  displayName: 'SSL Certificates',
  properties: [
    secretBlock('ca', 'CA', { description: 'CA certificates in PEM, which replace the public CAs', pinsDestination: true }),
    secretBlock('cert', 'Certificate', { description: 'Client certificate, PEM' }),
    secretBlock('key', 'Private Key', { description: 'Key of the client certificate, PEM' }),
    secret('passphrase', 'Passphrase'),
  ],
  test,
});
