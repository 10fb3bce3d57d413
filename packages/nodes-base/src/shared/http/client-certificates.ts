import { type HttpTls, type JsonObject, optionalCredentialText } from '@sluice/node-sdk';
import { pem } from '../pem.ts';

/** TLS options from a credential of type `httpSslAuth`. */
export function certificatesOf(data: JsonObject): HttpTls {
  const passphrase = optionalCredentialText(data, 'passphrase');
  return { ...part(data, 'ca'), ...part(data, 'cert'), ...part(data, 'key'), ...(passphrase && { passphrase }) };
}

const dashes = '-----';

/** The PEM blocks in a string. A regular expression would exceed the stack for a long string. */
function blocksOf(text: string): string[] {
  const parts = text.split(dashes);
  return parts.flatMap((begin, index) => {
    const [body, end, after] = parts.slice(index + 1, index + 4);
    const isBlock = begin.startsWith('BEGIN ') && end?.startsWith('END ') && after !== undefined;
    return isBlock ? [['', begin, body, end, ''].join(dashes)] : [];
  });
}

/** A PEM field; it may contain several certificates. */
function part(data: JsonObject, field: 'ca' | 'cert' | 'key'): HttpTls {
  const text = optionalCredentialText(data, field).trim();
  const blocks = blocksOf(text);
  return text === '' ? {} : { [field]: (blocks.length > 0 ? blocks : [text]).map(pem).join('') };
}
