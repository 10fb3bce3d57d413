import { lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { addressForms, machineAddresses } from './address-forms.ts';
import { unknownEndpointError } from './errors.ts';
import { normalizeHost } from './target-list.ts';

/** A TCP endpoint of the service itself. */
export interface Endpoint {
  /** Host name or address, without brackets. */
  host: string;
  port: number;
}

interface Resolved {
  /** Form of an address → when it was last seen, in milliseconds of the monotonic clock. */
  readonly seen: Map<string, number>;
  refreshedAt: number;
  refresh: Promise<unknown> | undefined;
}

type ResolveHost = (host: string) => Promise<readonly { address: string }[]>;

/** Cache duration of lookups: a failover moves a name within seconds. */
const freshMs = 5_000;

/**
 * Lookups of names with several addresses may return only some of them, and a replaced server may
 * still run.
 */
const rememberedMs = 10 * 60_000;

/**
 * The endpoints to which nodes must not connect, compared by port and by every address that their
 * host names resolve to now or resolved to in the last ten minutes. A name that does not resolve
 * makes its port unreachable at every address, until it resolves.
 */
export class OwnEndpoints {
  readonly #endpoints: Iterable<Endpoint>;
  readonly #resolve: ResolveHost;
  readonly #now: () => number;
  readonly #resolved = new Map<string, Resolved>();

  /** `endpoints` is read at each check, so the caller may add to it. */
  constructor(
    endpoints: Iterable<Endpoint>,
    resolve: ResolveHost = (host) => systemLookup(host, { all: true }),
    now: () => number = () => performance.now(),
  ) {
    this.#endpoints = endpoints;
    this.#resolve = resolve;
    this.#now = now;
  }

  /**
   * Whether a connection to one of the addresses, resolved from `host`, reaches an endpoint.
   * Without a port, endpoints on all ports are compared. Throws a retryable `HTTP_FAILED` if the
   * result depends on an endpoint's name that cannot be looked up.
   */
  async include(host: string, addresses: readonly string[], port: number | undefined): Promise<boolean> {
    const candidates = [...this.#endpoints].filter((endpoint) => port === undefined || endpoint.port === port);
    if (candidates.length === 0) return false;
    const name = normalizeHost(host);
    if (candidates.some((endpoint) => normalizeHost(endpoint.host) === name)) return true;
    const machine = machineAddresses();
    const forms = new Set(addresses.flatMap((address) => [...addressForms(address, machine)]));
    const unknown: unknown[] = [];
    for (const endpoint of candidates) {
      const ownForms = await this.#formsOf(endpoint.host, machine);
      if ('error' in ownForms) unknown.push(ownForms.error);
      else if ([...forms].some((form) => ownForms.has(form))) return true;
    }
    if (unknown.length > 0) throw unknownEndpointError(unknown[0]);
    return false;
  }

  async #formsOf(host: string, machine: ReadonlySet<string>): Promise<{ has(form: string): boolean } | { error: unknown }> {
    if (isIP(host) !== 0) return addressForms(host, machine);
    let known = this.#resolved.get(host);
    if (!known) {
      known = { seen: new Map(), refreshedAt: Number.NEGATIVE_INFINITY, refresh: undefined };
      this.#resolved.set(host, known);
    }
    if (this.#now() - known.refreshedAt > freshMs) {
      known.refresh ??= this.#refresh(host, known).finally(() => {
        known.refresh = undefined;
      });
      try {
        await known.refresh;
      } catch (error) {
        return { error };
      }
    }
    return known.seen;
  }

  async #refresh(host: string, known: Resolved): Promise<void> {
    const addresses = await this.#resolve(host);
    const now = this.#now();
    for (const { address } of addresses) for (const form of addressForms(address)) known.seen.set(form, now);
    for (const [form, seenAt] of known.seen) if (now - seenAt > rememberedMs) known.seen.delete(form);
    known.refreshedAt = now;
  }
}
