import { type AuthenticatedKey, mayBeApiKey } from '@sluice/db';
import { ForbiddenError, UnauthorizedError } from '@sluice/domain';
import { type Caller, toCaller } from './caller.ts';

/** How long, in milliseconds, a look-up serves: a revoked key or a lost role works at most this much longer. */
const cacheMs = 1_000;
const maxCached = 10_000;

interface KeySource {
  findByRawKey(rawKey: string): Promise<AuthenticatedKey | undefined>;
}

/** Turns a key into a caller. Requests that come together with one key share a look-up. */
export class Authenticator {
  readonly #keys: KeySource;
  readonly #now: () => number;
  readonly #cache = new Map<string, { until: number; caller: Promise<Caller> }>();

  /** `now`: milliseconds of any clock that does not jump. */
  constructor(keys: KeySource, now: () => number = () => performance.now()) {
    this.#keys = keys;
    this.#now = now;
  }

  /** Throws `UnauthorizedError` for a missing, malformed, unknown or expired key, `ForbiddenError` for a revoked one. */
  async authenticate(rawKey: string | undefined): Promise<Caller> {
    if (rawKey === undefined || !mayBeApiKey(rawKey)) throw new UnauthorizedError();
    const cached = this.#cache.get(rawKey);
    if (cached && this.#now() < cached.until) return cached.caller;
    const caller = this.#lookUp(rawKey);
    if (this.#cache.size >= maxCached) this.#cache.clear();
    this.#cache.set(rawKey, { until: this.#now() + cacheMs, caller });
    caller.catch(() => this.#cache.delete(rawKey));
    return caller;
  }

  async #lookUp(rawKey: string): Promise<Caller> {
    const key = await this.#keys.findByRawKey(rawKey);
    if (key?.revoked) throw new ForbiddenError('the API key has been revoked');
    if (!key || key.expired) throw new UnauthorizedError();
    return toCaller(key);
  }
}
