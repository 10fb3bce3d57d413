import pg from 'pg';
import { parseDatabaseUrl } from './database-address.ts';

/**
 * The hosts and ports that the client connects to, from the URL, `PGHOST`, and `PGPORT` as the
 * client reads them. Without Unix sockets.
 */
export function databaseEndpoints(url: string): { host: string; port: number }[] {
  return parseDatabaseUrl(url).urls.flatMap((connectionString) => {
    const { host, port } = new pg.Client({ connectionString });
    return host.startsWith('/') ? [] : [{ host, port }];
  });
}
