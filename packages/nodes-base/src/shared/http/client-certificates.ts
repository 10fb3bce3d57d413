import { type HttpTls, type JsonObject, optionalCredentialText } from '@sluice/node-sdk';
import { pem } from '../pem.ts';

/** TLS options from a credential of type `httpSslAuth`. */
export function certificatesOf(data: JsonObject): HttpTls {
  const passphrase = optionalCredentialText(data, 'passphrase');
  return { ...part(data, 'ca'), ...part(data, 'cert'), ...part(data, 'key'), ...(passphrase && { passphrase }) };
}

/** A PEM field; it may hold several certificates. */
function part(data: JsonObject, field: 'ca' | 'cert' | 'key'): HttpTls {
  const text = optionalCredentialText(data, field).trim();
  const blocks = text.match(/-----BEGIN [\s\S]*?-----END [^-]+-----/g) ?? [text];
  return text === '' ? {} : { [field]: blocks.map(pem).join('') };
}
