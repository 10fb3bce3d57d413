import pg from 'pg';

/** The servers that a database URL names, and how to connect to them. */
interface DatabaseAddress {
  /** One URL for each server, in the order in which they are tried. */
  urls: readonly string[];
  /** Whether a server that accepts no writes, such as a standby, is refused. */
  primaryOnly: boolean;
  /** Whether a pooler in transaction mode is in between: a session keeps no state. */
  pooled: boolean;
}

/** Values of `target_session_attrs` that require a server that accepts writes. */
const writableSessions: ReadonlySet<string> = new Set(['read-write', 'primary']);
/** URL parameters that this module reads instead of the driver. */
const parsedParameters = ['target_session_attrs', 'pgbouncer'];
/** URL parameters that name a server, in addition to the authority. */
const serverParameters = ['host', 'port'];

/**
 * Parses what the driver does not support: several hosts as in libpq
 * (`postgres://a:5432,b:5432/db`, or `?host=a,b&port=5432,5433`), `target_session_attrs`, and
 * Prisma's `pgbouncer=true`.
 *
 * @param allowStandby whether any of several hosts may be used if the URL has no
 * `target_session_attrs`; by default, only one that accepts writes
 */
export function parseDatabaseUrl(url: string, { allowStandby = false } = {}): DatabaseAddress {
  const [, head = '', authority = '', path = '', query = ''] =
    /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#@]*)((?:\/[^?#]*)?)(?:\?(.*))?$/s.exec(url) ?? [];
  const parameters = new URLSearchParams(query);
  const driverPairs = query.split('&').filter((pair) => pair !== '' && !isOneOf(parsedParameters, pair));
  const urlOf = (server: string, pairs: readonly string[]) =>
    `${head}${server}${path}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`;

  const hosts = listOf(parameters.get('host'));
  const ports = listOf(parameters.get('port'));
  const otherPairs = driverPairs.filter((pair) => !isOneOf(serverParameters, pair));
  const urls =
    hosts.length > 1
      ? serversOf(hosts, ports).map((server) => urlOf('', [...otherPairs, ...server]))
      : authority.split(',').map((server) => urlOf(server, driverPairs));

  const session = parameters.get('target_session_attrs') ?? (urls.length > 1 && !allowStandby ? 'read-write' : 'any');
  return { urls, primaryOnly: writableSessions.has(session), pooled: parameters.get('pgbouncer') === 'true' };
}

function listOf(text: string | null): string[] {
  return text ? text.split(',') : [];
}

function isOneOf(names: readonly string[], pair: string): boolean {
  return names.includes(pair.split('=', 1)[0] ?? '');
}

/** The parameters of each server. As in libpq, a single port applies to all hosts. */
function serversOf(hosts: readonly string[], ports: readonly string[]): string[][] {
  return hosts.map((host, i) => {
    const port = ports[i] ?? ports[0];
    return [`host=${encodeURIComponent(host)}`, ...(port ? [`port=${port}`] : [])];
  });
}

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
