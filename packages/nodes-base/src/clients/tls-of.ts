import { createPrivateKey } from 'node:crypto';
import { AppError, type ConnectOptions, type JsonObject } from '@sluice/node-sdk';
import { certificatesOf } from '../shared/http/client-certificates.ts';
import { flagOf } from './client-data.ts';

/**
 * TLS options from a credential: `ca`, `cert`, `key`, and `passphrase` in PEM, and
 * `rejectUnauthorized`. Throws `CREDENTIAL_UNUSABLE` if the passphrase does not decrypt the key.
 */
export function tlsOf(data: JsonObject): ConnectOptions['tls'] {
  const { key, passphrase, ...certificates } = certificatesOf(data);
  return {
    ...certificates,
    ...(key && { key: passphrase ? openKey(key, passphrase) : key }),
    rejectUnauthorized: flagOf(data, 'rejectUnauthorized', true),
  };
}

function openKey(key: string, passphrase: string): string {
  try {
    return createPrivateKey({ key, passphrase }).export({ type: 'pkcs8', format: 'pem' });
  } catch {
    throw new AppError({ code: 'CREDENTIAL_UNUSABLE', message: 'the field "passphrase" does not decrypt the field "key"' });
  }
}
