/** The servers that a database URL names, and how to talk to them. */
export interface DatabaseAddress {
  /** One URL for each server, in the order in which they are tried. */
  urls: readonly string[];
  /** Whether a server that accepts no writes, such as a standby, is refused. */
  primaryOnly: boolean;
  /** Whether a pooler in transaction mode is in between: a session keeps no state. */
  pooled: boolean;
}

/** Parameters of the URL that are ours, not the driver's. */
const ownParameters = ['target_session_attrs', 'pgbouncer'];

/**
 * Reads what the driver does not: several hosts as in libpq (`postgres://a:5432,b:5432/db`, or
 * `?host=a,b&port=5432,5433`), `target_session_attrs`, and Prisma's `pgbouncer=true`.
 */
export function parseDatabaseUrl(url: string): DatabaseAddress {
  const [, head = '', authority = '', path = '', query = ''] =
    /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#@]*)((?:\/[^?#]*)?)(?:\?(.*))?$/s.exec(url) ?? [];
  const parameters = new URLSearchParams(query);
  const rest = query.split('&').filter((pair) => pair !== '' && !ownParameters.includes(pair.split('=', 1)[0] ?? ''));
  const named = listOf(parameters.get('host'));
  const urlOf = (host: string, parameters: readonly string[]) =>
    `${head}${host}${path}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}`;
  const urls =
    named.length > 1
      ? placesOf(named, listOf(parameters.get('port'))).map((place) => urlOf('', [...rest.filter(isNoPlace), ...place]))
      : authority.split(',').map((host) => urlOf(host, rest));
  const wanted = parameters.get('target_session_attrs') ?? (urls.length > 1 ? 'read-write' : 'any');
  return { urls, primaryOnly: wanted !== 'any', pooled: parameters.get('pgbouncer') === 'true' };
}

function listOf(text: string | null): string[] {
  return text ? text.split(',') : [];
}

function isNoPlace(pair: string): boolean {
  return !/^(host|port)=/.test(pair);
}

/** As in libpq, one port counts for all hosts. */
function placesOf(hosts: readonly string[], ports: readonly string[]): string[][] {
  return hosts.map((host, i) => {
    const port = ports[i] ?? ports[0];
    return [`host=${encodeURIComponent(host)}`, ...(port ? [`port=${port}`] : [])];
  });
}
