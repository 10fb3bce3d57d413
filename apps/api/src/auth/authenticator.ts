import { type AuthenticatedKey, apiKeyDigest, type KeyLookup, mayBeApiKey } from '@sluice/db';
import { ForbiddenError, UnauthorizedError } from '@sluice/domain';
import QuickLRU from 'quick-lru';
import { type Caller, toCaller } from './caller.ts';
import { effectiveScopes, type License } from './license.ts';

/** Maximum age of an entry, in milliseconds. */
const cacheMs = 60_000;
/** Milliseconds for which requests share a lookup after it has started. */
const sharedMs = 500;
const maxCached = 10_000;

interface AuthenticatorOptions {
  apiKeys: { findByRawKey(rawKey: string): Promise<KeyLookup> };
  /** Whether `forget` has been called for every change that is older than a second. */
  watch: { readonly fresh: boolean };
  license: License;
  /** Milliseconds of a monotonic clock. */
  now?: () => number;
}

type RefusalReason = 'missing' | 'malformed' | 'unknown' | 'expired' | 'revoked';

/** Why a key is refused, and its owner. */
export interface Refusal {
  reason: RefusalReason;
  keyId: string | null;
  userId: string | null;
}

export type Authentication = { caller: Caller } | { refusal: Refusal };

interface Entry {
  caller: Caller;
  until: number;
}

/**
 * Resolves a key to its caller. Entries are cached for a minute, or until the user's keys, role, or
 * memberships change (`forget`), and are used only while the watch is fresh. A change therefore
 * takes effect within a second.
 */
export class Authenticator {
  readonly #options: AuthenticatorOptions;
  readonly #now: () => number;
  /** By hash, so that no key stays in memory. */
  readonly #cache = new QuickLRU<string, Entry>({ maxSize: maxCached });
  readonly #lookUps = new Map<string, { began: number; result: Promise<Authentication> }>();
  #changes = 0;

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /**
   * Throws `UnauthorizedError` for a missing, malformed, unknown, or expired key, and
   * `ForbiddenError` for a revoked one.
   */
  async authenticate(rawKey: string | undefined): Promise<Caller> {
    const authentication = await this.check(rawKey);
    if ('caller' in authentication) return authentication.caller;
    throw toError(authentication.refusal);
  }

  /** Like `authenticate`, with the refusal as a value. */
  async check(rawKey: string | undefined): Promise<Authentication> {
    if (!rawKey) return refused('missing');
    if (!mayBeApiKey(rawKey)) return refused('malformed');
    const hash = apiKeyDigest(rawKey);
    const entry = this.#cache.get(hash);
    if (entry && this.#options.watch.fresh && this.#now() < entry.until) return { caller: entry.caller };
    return this.#lookUpOnce(hash, rawKey);
  }

  /** Drops the cached entries of these users. */
  forget(userIds: readonly string[]): void {
    this.#changes += 1;
    const gone = new Set(userIds);
    for (const [hash, { caller }] of this.#cache) if (gone.has(caller.userId)) this.#cache.delete(hash);
  }

  #lookUpOnce(hash: string, rawKey: string): Promise<Authentication> {
    const running = this.#lookUps.get(hash);
    if (running && this.#now() - running.began < sharedMs) return running.result;
    const result = this.#lookUp(hash, rawKey);
    const lookUp = { began: this.#now(), result };
    this.#lookUps.set(hash, lookUp);
    const done = () => {
      if (this.#lookUps.get(hash) === lookUp) this.#lookUps.delete(hash);
    };
    result.then(done, done);
    return result;
  }

  /** Caches the result unless access changed in the meantime: it may lack that change. */
  async #lookUp(hash: string, rawKey: string): Promise<Authentication> {
    const { apiKeys, watch, license } = this.#options;
    const before = this.#changes;
    const wasFresh = watch.fresh;
    const lookUp = await apiKeys.findByRawKey(rawKey);
    if (lookUp.state === 'unknown') return refused('unknown');
    if (lookUp.state === 'revoked') return refused('revoked', lookUp.id, lookUp.userId);
    const { key } = lookUp;
    if (hasExpired(key)) return refused('expired', key.id, key.userId);
    const caller = toCaller(key, effectiveScopes(license, key.role, key.scopes));
    if (wasFresh && this.#changes === before)
      this.#cache.set(hash, { caller, until: this.#now() + Math.min(key.expiresInMs ?? cacheMs, cacheMs) });
    return { caller };
  }
}

/**
 * The error of a refusal: 401 with one message for all keys that were never valid, or 403.
 * `keyHeader`: named in the message.
 */
export function toError({ reason }: Refusal, keyHeader?: string): UnauthorizedError | ForbiddenError {
  return reason === 'revoked' ? new ForbiddenError('the API key has been revoked') : new UnauthorizedError(keyHeader);
}

function refused(reason: RefusalReason, keyId: string | null = null, userId: string | null = null): Authentication {
  return { refusal: { reason, keyId, userId } };
}

function hasExpired({ expiresInMs }: AuthenticatedKey): boolean {
  return expiresInMs !== null && expiresInMs <= 0;
}
