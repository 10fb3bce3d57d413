import { setTimeout as delay } from 'node:timers/promises';
import { isAppError, type JsonObject } from '@sluice/domain';
import type { SealedRecord, SealedSubject, Vault } from './vault.ts';

/** Storage of a credential, with the lock for renewing its token. */
export interface RenewalStore {
  /**
   * The record as stored now. Throws if the credential was deleted or the caller may not use it.
   */
  read(): Promise<SealedRecord>;
  /**
   * Claims the right to renew the token of a record that is still `record`, for `leaseMs`;
   * `undefined`: another process has it.
   */
  claimRenewal(record: SealedRecord, leaseMs: number): Promise<string | undefined>;
  /**
   * Stores the renewed record and releases the right. False: it was lost in the meantime, and
   * nothing was stored.
   */
  storeRenewed(renewalId: string, record: SealedRecord): Promise<boolean>;
  releaseRenewal(renewalId: string): Promise<void>;
}

/** How a credential's token is renewed. */
export interface Renewal {
  isDue(data: JsonObject): boolean;
  /** Returns the complete data with the new token. */
  renew(data: JsonObject, signal: AbortSignal): Promise<JsonObject>;
}

/**
 * Milliseconds after which a renewing process counts as dead; the renewal itself must end well
 * before.
 */
const leaseMs = 45_000;
const renewalTimeoutMs = 30_000;
/** Interval of checks while waiting for another process. */
const pollMs = 100;
/** Delay before a failed write of a renewed record is repeated; it doubles each time. */
const firstStoreDelayMs = 100;

/**
 * The data of a credential, with its token renewed if due. If several processes call this
 * concurrently, one of them renews and stores the token before any of them uses it; the others wait
 * and read it. `signal` ends a wait, never a renewal, because the service may already have rotated
 * the refresh token.
 */
export async function openFresh(
  vault: Vault,
  subject: SealedSubject,
  { store, renewal, signal }: { store: RenewalStore; renewal: Renewal | undefined; signal: AbortSignal },
): Promise<JsonObject> {
  for (;;) {
    signal.throwIfAborted();
    const record = await store.read();
    const data = vault.open(subject, record);
    if (!renewal?.isDue(data)) return data;
    const renewalId = await store.claimRenewal(record, leaseMs);
    const leaseEnd = performance.now() + leaseMs;
    if (renewalId === undefined) await pause(signal);
    else {
      const renewed = await renewOnce(renewal, data, () => store.releaseRenewal(renewalId));
      const sealed = vault.seal(subject, renewed);
      if (await storeWithin(leaseEnd, () => store.storeRenewed(renewalId, sealed))) return renewed;
    }
  }
}

async function renewOnce(renewal: Renewal, data: JsonObject, release: () => Promise<void>): Promise<JsonObject> {
  try {
    return await renewal.renew(data, AbortSignal.timeout(renewalTimeoutMs));
  } catch (error) {
    // If this fails too, the lease expires by itself; the caller needs the first error.
    await release().catch(() => undefined);
    throw error;
  }
}

/**
 * Repeats a write after transient errors until the lease ends: the service may have revoked the old
 * refresh token, so a lost record makes the credential useless. If a write succeeded but its reply
 * was lost, the next write returns false, and the caller reads the stored record.
 */
async function storeWithin(leaseEnd: number, write: () => Promise<boolean>): Promise<boolean> {
  for (let delayMs = firstStoreDelayMs; ; delayMs *= 2) {
    try {
      return await write();
    } catch (error) {
      const isTransient = isAppError(error) && error.retryable;
      if (!isTransient || performance.now() + delayMs >= leaseEnd) throw error;
    }
    await delay(delayMs);
  }
}

async function pause(signal: AbortSignal): Promise<void> {
  await delay(pollMs, undefined, { signal }).catch(() => signal.throwIfAborted());
}
