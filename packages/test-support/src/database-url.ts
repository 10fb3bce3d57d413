const parts = /^(postgres(?:ql)?:\/\/[^/]*\/)([^?]*)/;

/** The same server, another database. Not `new URL`: a URL with a socket directory has an empty host, which that refuses. */
export function withDatabaseName(url: string, name: string): string {
  if (!parts.test(url)) throw new Error('the URL of a test database must name a database');
  return url.replace(parts, `$1${name}`);
}
