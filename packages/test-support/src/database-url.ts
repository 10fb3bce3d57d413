const parts = /^(postgres(?:ql)?:\/\/[^/]*\/)([^?]*)/;

/**
 * The same server with another database. `new URL` would reject the empty host of a URL with a
 * socket directory.
 */
export function withDatabaseName(url: string, name: string): string {
  if (!parts.test(url)) throw new Error('the URL of a test database must name a database');
  return url.replace(parts, `$1${name}`);
}
