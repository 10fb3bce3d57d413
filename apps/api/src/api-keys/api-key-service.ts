import type { CreateApiKeyBody, UpdateApiKeyBody } from '@sluice/contract';
import { type ApiKey, type ApiKeyRepository, generateApiKey, type KeyLimits, noteForAudit } from '@sluice/db';
import { ForbiddenError, invalidRequest, roleScopes, type Scope } from '@sluice/domain';
import type { AccessSignals } from '../auth/access-changes.ts';
import { type Caller, parentKeyOf } from '../auth/caller.ts';
import { effectiveScopes, type License } from '../auth/license.ts';
import { assertScopes } from '../auth/scopes.ts';

const lacksScope = 'the API key cannot grant a scope that it lacks';

interface ApiKeyServiceOptions {
  apiKeys: ApiKeyRepository;
  accessSignals: AccessSignals;
  license: License;
}

/**
 * The caller's own keys. No scope is required, but a key can grant only scopes that it holds, and
 * change only keys whose scopes it holds. A key expires no later than the key that created it, and
 * cannot have scopes that this key lacks (Contract 2.4).
 */
export class ApiKeyService {
  readonly #options: ApiKeyServiceOptions;

  constructor(options: ApiKeyServiceOptions) {
    this.#options = options;
  }

  async list(caller: Caller): Promise<ApiKey[]> {
    const keys = await this.#options.apiKeys.listOf(caller.userId);
    return keys.map((key) => this.#viewFor(key, caller));
  }

  /** All scopes that keys of the caller's role can hold. */
  availableScopes({ role }: Caller): Scope[] {
    return [...roleScopes[role]];
  }

  async create(body: CreateApiKeyBody, caller: Caller): Promise<{ key: ApiKey; rawKey: string }> {
    const { label, scopes, expiresAt = null } = body;
    this.#assertMayGrant(scopes, caller);
    const rawKey = generateApiKey();
    noteForAudit({ objectName: label, details: { scopes: [...scopes] } });
    const expiry = expiresAt === null ? null : toExpiry(expiresAt);
    const owner = { userId: caller.userId, parentId: parentKeyOf(caller) };
    const key = await this.#options.apiKeys.create({ ...owner, label, rawKey, scopes, expiresAt: expiry });
    return { key: this.#viewFor(key, caller), rawKey };
  }

  /** Throws `NotFoundError` for a key that is not the caller's or has been deleted. */
  async update(id: string, { label, scopes }: UpdateApiKeyBody, caller: Caller): Promise<void> {
    if (scopes) this.#assertMayGrant(scopes, caller);
    const revise = (key: ApiKey, limits: KeyLimits) => {
      this.#assertMayTouch(key, caller);
      if (scopes) this.#assertWithin(limits, key, scopes, caller);
      noteForAudit({ objectName: label ?? key.label, details: scopes ? { scopes: [...scopes] } : null });
      return { label, scopes };
    };
    await this.#options.apiKeys.update(id, caller.userId, revise, caller.keyId);
    this.#options.accessSignals.changed([caller.userId]);
  }

  /** Permanently revokes the key and all keys created with it. Throws like `update`. */
  async revoke(id: string, caller: Caller): Promise<void> {
    await this.#options.apiKeys.revoke(id, caller.userId, (key) => {
      this.#assertMayTouch(key, caller);
      noteForAudit({ objectName: key.label });
    });
    this.#options.accessSignals.changed([caller.userId]);
  }

  #assertMayGrant(scopes: readonly Scope[], caller: Caller): void {
    assertScopes(caller.scopes, scopes, lacksScope);
  }

  /** Reads the keys' current scopes: the caller's copy may be some seconds old. */
  #assertWithin({ changer, parent }: KeyLimits, key: ApiKey, scopes: readonly Scope[], caller: Caller): void {
    if (changer) assertScopes(this.#effective(changer, caller), scopes, lacksScope);
    const added = scopes.filter((scope) => !key.scopes.includes(scope));
    if (parent) assertScopes(this.#effective(parent, caller), added, 'the key that created this API key lacks the scope');
    assertNotOutlived(key, scopes, changer);
  }

  #effective({ scopes }: { scopes: readonly Scope[] }, { role }: Caller): ReadonlySet<Scope> {
    return new Set(effectiveScopes(this.#options.license, role, scopes));
  }

  #assertMayTouch(key: ApiKey, caller: Caller): void {
    if (key.id === caller.keyId) return;
    assertScopes(caller.scopes, this.#effective(key, caller), 'the API key lacks a scope of the other key');
  }

  #viewFor(key: ApiKey, { role }: Caller): ApiKey {
    return { ...key, scopes: [...effectiveScopes(this.#options.license, role, key.scopes)] };
  }
}

/** An expiring key cannot add a scope to a key that expires later: the scope would outlive it. */
function assertNotOutlived(key: ApiKey, scopes: readonly Scope[], changer: ApiKey | undefined): void {
  const end = changer?.isSession ? undefined : changer?.expiresAt?.getTime();
  const isWider = scopes.some((scope) => !key.scopes.includes(scope));
  if (end === undefined || !isWider || (key.expiresAt && key.expiresAt.getTime() <= end)) return;
  throw new ForbiddenError('the API key expires before the other key, so it cannot add scopes to it');
}

/** Throws `ValidationError` for a time in the past. */
function toExpiry(unixSeconds: number): Date {
  const milliseconds = Math.round(unixSeconds * 1000);
  if (milliseconds > Date.now()) return new Date(milliseconds);
  throw invalidRequest('/expiresAt', 'must not be in the past');
}
