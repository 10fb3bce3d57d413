import { isIP } from 'node:net';

/**
 * A host that requests may go to: `api.example.com`, `*.example.com`, `[::1]`, each optionally with
 * a port.
 */
export interface HostPattern {
  /** Normalized name; for a wildcard, the part after `*.`. */
  name: string;
  /** Whether it matches every name below `name`, but not `name` itself. */
  isWildcard: boolean;
  /** Absent if it matches any port. */
  port?: number;
  /** Whether it matches https URLs only. */
  isSecure?: true;
}

/** Maximum length of a DNS name. */
const maxNameLength = 253;

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

/**
 * Returns a function that determines whether one of `patterns` matches every URL that a given
 * pattern matches. It uses a set, because both lists may have thousands of entries.
 */
export function coverageOf(patterns: readonly HostPattern[]): (narrow: HostPattern) => boolean {
  const keys = new Set(patterns.map(keyOf));
  const hasAny = (name: string, isWildcard: boolean, { port, isSecure }: HostPattern) =>
    [undefined, port].some((widePort) =>
      [undefined, isSecure].some((wideSecure) => keys.has(keyOf({ name, isWildcard, port: widePort, isSecure: wideSecure }))),
    );
  return (narrow) =>
    hasAny(narrow.name, narrow.isWildcard, narrow) || parentsOf(narrow.name).some((parent) => hasAny(parent, true, narrow));
}

type Key = { [Part in keyof HostPattern]: HostPattern[Part] | undefined };

function keyOf({ name, isWildcard, port = 0, isSecure }: Key): string {
  return `${name} ${isWildcard} ${port} ${isSecure ?? false}`;
}

/** The parent domains of a name, nearest first. */
function parentsOf(name: string): string[] {
  const labels = name.split('.');
  return labels.slice(1).map((_, index) => labels.slice(index + 1).join('.'));
}

/**
 * Lower case, IDNA, and the dotted form of IPv4 addresses, as the WHATWG URL parser returns them;
 * without a final dot.
 */
function normalizedHost(host: string): string | undefined {
  const name = withoutFinalDot(URL.parse(`http://${host}`)?.hostname ?? '');
  return name === '' || name.length > maxNameLength ? undefined : name;
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
