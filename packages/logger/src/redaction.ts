const secretHeaders = ['authorization', 'proxy-authorization', 'cookie', 'set-cookie'];
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
 * Pino redaction paths: secret headers wherever headers are logged, secret fields at the top and
 * two levels down.
 */
export function redactionPaths(keyHeader: string): string[] {
  const headers = [...secretHeaders, keyHeader.toLowerCase(), keyHeader];
  return [
    ...[...new Set(headers)].flatMap((name) => ['headers', '*.headers'].map((path) => `${path}[${JSON.stringify(name)}]`)),
    ...secretFields.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
  ];
}
