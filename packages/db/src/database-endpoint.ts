import pg from 'pg';

/** Where the client connects to, by its own reading of the URL and of `PGHOST` and `PGPORT`. Empty for a Unix socket. */
export function databaseEndpoints(url: string): { host: string; port: number }[] {
  const { host, port } = new pg.Client({ connectionString: url });
  return host.startsWith('/') ? [] : [{ host, port }];
}
