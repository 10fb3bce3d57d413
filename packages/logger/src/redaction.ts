import type { LoggerOptions } from 'pino';

const secretHeaders = ['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key'];
const secretFields = [
  'password',
  'passwd',
  'secret',
  'token',
  'apiKey',
  'accessToken',
  'refreshToken',
  'privateKey',
  'encryptionKey',
];

/**
 * Pino's redaction: secret headers in any spelling wherever headers are logged, secret fields at
 * the top level and the two levels below. The paths select every header, because pino compares
 * names exactly.
 */
export function redaction(keyHeader: string): NonNullable<Exclude<LoggerOptions['redact'], string[]>> {
  const headers = new Set([...secretHeaders, keyHeader.toLowerCase()]);
  const fields = new Set(secretFields);
  return {
    paths: ['headers[*]', '*.headers[*]', ...secretFields.flatMap((name) => [name, `*.${name}`, `*.*.${name}`])],
    censor: (value, path) => {
      const name = path.at(-1) ?? '';
      return fields.has(name) || headers.has(name.toLowerCase()) ? '[redacted]' : value;
    },
  };
}
