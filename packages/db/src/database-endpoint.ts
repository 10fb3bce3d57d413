import pg from 'pg';

/**
 * The hosts and ports that the client connects to, from the URL, `PGHOST`, and `PGPORT` as the
 * client reads them. Empty for a Unix socket.
 */
export function databaseEndpoints(url: string): { host: string; port: number }[] {
  const { host, port } = new pg.Client({ connectionString: url });
  return host.startsWith('/') ? [] : [{ host, port }];
}
