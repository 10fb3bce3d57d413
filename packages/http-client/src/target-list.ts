import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type Address, parseAddress } from './address-forms.ts';
import type { Endpoint } from './own-endpoints.ts';

type Range = [Address, number];

interface Entry<T> {
  value: T;
  /** `undefined`: every port. */
  port: number | undefined;
}

/** A parsed list of CIDRs, addresses, and host names, each with an optional port. */
interface TargetList {
  hasAddress(address: Address, port: number | undefined): boolean;
  hasHost(host: string, port: number | undefined): boolean;
  /**
   * Whether an entry has exactly this host name or address and this port. CIDRs, wildcards, and
   * entries without a port never match.
   */
  names(host: string, address: string, port: number | undefined): boolean;
}

/**
 * Parses `10.0.0.0/8`, `10.0.0.5:6379`, `[fd00::5]:6379`, `internal.example`,
 * `*.internal.example:8443`. A wildcard matches the names below it. Throws a `TypeError` for an
 * entry with a `/` that is not a CIDR.
 *
 * @param coversUnknownPort whether an entry with a port covers a connection whose port is unknown
 */
export function parseTargetList(entries: readonly string[], coversUnknownPort = false): TargetList {
  const covers = ({ port: own }: { port: number | undefined }, port: number | undefined) =>
    own === undefined || (port === undefined ? coversUnknownPort : own === port);
  const ranges: Entry<Range>[] = [];
  const hosts: Entry<string>[] = [];
  const suffixes: Entry<string>[] = [];
  for (const entry of entries) {
    const { target, port } = splitPort(entry);
    const range = parseRange(target);
    if (range) ranges.push({ value: range, port });
    else if (target.startsWith('*.')) suffixes.push({ value: normalizeHost(target.slice(1)), port });
    else hosts.push({ value: normalizeHost(target), port });
  }
  return {
    hasAddress: (address, port) => ranges.some((range) => covers(range, port) && contains(range.value, address)),
    hasHost(host, port) {
      const name = normalizeHost(host);
      return (
        hosts.some((entry) => covers(entry, port) && entry.value === name) ||
        suffixes.some((entry) => covers(entry, port) && name.endsWith(entry.value))
      );
    },
    names(host, address, port) {
      if (port === undefined) return false;
      const name = normalizeHost(host);
      const parsed = parseAddress(address);
      return (
        hosts.some((entry) => entry.port === port && entry.value === name) ||
        ranges.some((entry) => entry.port === port && isSingle(entry.value) && !!parsed && contains(entry.value, parsed))
      );
    },
  };
}

/** A list's host names and single addresses that have a port, without wildcards and CIDRs. */
export function namedEndpoints(entries: readonly string[]): Endpoint[] {
  return entries.flatMap((entry) => {
    const { target: host, port } = splitPort(entry);
    if (port === undefined || host.startsWith('*.')) return [];
    const range = parseRange(host);
    if (!range) return [{ host, port }];
    return isSingle(range) ? [{ host: range[0].toString(), port }] : [];
  });
}

/** Splits `host:port`. An IPv6 address with a port must be in brackets. */
function splitPort(entry: string): { target: string; port: number | undefined } {
  const bracketed = /^\[([^\]]+)\](?::(\d+))?$/.exec(entry);
  if (bracketed) return { target: bracketed[1] as string, port: bracketed[2] === undefined ? undefined : Number(bracketed[2]) };
  if (isIP(entry.split('/', 1)[0] as string) === 6) return { target: entry, port: undefined };
  const [, target = entry, port] = /^(.+):(\d+)$/.exec(entry) ?? [];
  return { target, port: port === undefined ? undefined : Number(port) };
}

export function normalizeHost(host: string): string {
  return host.trim().toLowerCase().replace(/\.$/, '');
}

export function contains([network, bits]: Range, address: Address): boolean {
  return network.kind() === address.kind() && address.match([network, bits] as [ipaddr.IPv4 & ipaddr.IPv6, number]);
}

function parseRange(entry: string): Range | undefined {
  const address = parseAddress(entry);
  if (address) return [address, address.kind() === 'ipv4' ? 32 : 128];
  if (!entry.includes('/')) return undefined;
  if (!ipaddr.isValidCIDR(entry)) throw new TypeError(`not a CIDR: ${entry}`);
  return ipaddr.parseCIDR(entry);
}

function isSingle([address, bits]: Range): boolean {
  return bits === (address.kind() === 'ipv4' ? 32 : 128);
}
