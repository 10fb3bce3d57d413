import { isIP } from 'node:net';

/**
 * A host that requests may go to: `api.example.com`, `*.example.com`, `[::1]`, each optionally with
 * a port.
 */
export interface HostPattern {
  /** Normalized name; for a wildcard the part after `*.`. */
  name: string;
  /** Whether it matches every name below `name`, but not `name` itself. */
  isWildcard: boolean;
  /** Absent: any port. */
  port?: number;
  /** Whether it matches https URLs only. */
  isSecure?: true;
}

const shape = /^(\*\.)?([^\s/?#@:\\[\]*%]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/i;

/**
 * `undefined`: the text is not a host pattern. Schemes, paths, user information, and other uses of
 * `*` are refused.
 */
export function parseHostPattern(text: string): HostPattern | undefined {
  const [, wildcard, host = '', port] = shape.exec(text.trim()) ?? [];
  const name = normalizedHost(host);
  if (name === undefined || (wildcard && isAddress(name)) || Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535)
    return undefined;
  return { name, isWildcard: wildcard !== undefined, ...(port !== undefined && { port: Number(port) }) };
}

/** Compares whole labels of normalized names, never substrings. */
export function matchesHost({ name, isWildcard, port, isSecure }: HostPattern, url: URL): boolean {
  if (isSecure && url.protocol !== 'https:') return false;
  const host = withoutFinalDot(url.hostname);
  const isHost = isWildcard ? host.endsWith(`.${name}`) && host.length > name.length + 1 : host === name;
  return isHost && (port === undefined || port === portOf(url));
}

/** Whether every URL that matches `narrow` matches `wide`, too. */
export function coversPattern(wide: HostPattern, narrow: HostPattern): boolean {
  if (wide.port !== undefined && wide.port !== narrow.port) return false;
  if (wide.isSecure && !narrow.isSecure) return false;
  if (wide.name === narrow.name) return wide.isWildcard === narrow.isWildcard;
  return wide.isWildcard && narrow.name.endsWith(`.${wide.name}`);
}

/**
 * Lower case, IDNA, and the dotted form of IPv4 addresses, as the WHATWG URL parser returns them;
 * without a final dot.
 */
function normalizedHost(host: string): string | undefined {
  const name = withoutFinalDot(URL.parse(`http://${host}`)?.hostname ?? '');
  return name === '' ? undefined : name;
}

function withoutFinalDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host;
}

function isAddress(name: string): boolean {
  return name.startsWith('[') || isIP(name) !== 0;
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}
