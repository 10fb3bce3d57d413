import { type HttpTls, type JsonObject, optionalCredentialText } from '@sluice/node-sdk';
import { pem } from '../pem.ts';

/** TLS options from a credential of type `httpSslAuth`. */
export function certificatesOf(data: JsonObject): HttpTls {
  const passphrase = optionalCredentialText(data, 'passphrase');
  return { ...part(data, 'ca'), ...part(data, 'cert'), ...part(data, 'key'), ...(passphrase && { passphrase }) };
}

/** Its text may have hyphens, as in a header, but not five: so each part of a field is read once. */
const pemBlock = /-----BEGIN [^-]+-----(?:[^-]|-(?!----))*-----END [^-]+-----/g;

/** A PEM field; it may hold several certificates. */
function part(data: JsonObject, field: 'ca' | 'cert' | 'key'): HttpTls {
  const text = optionalCredentialText(data, field).trim();
  const blocks = text.match(pemBlock) ?? [text];
  return text === '' ? {} : { [field]: blocks.map(pem).join('') };
}
