import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject } from '@sluice/domain';
import type { SealedRecord, SealedSubject, Vault } from './vault.ts';

/** Where a credential is stored, and who may renew its token. */
export interface RenewalStore {
  /** The record as it is stored now. Throws when the credential is gone or not the caller's to use. */
  read(): Promise<SealedRecord>;
  /** The right to renew the token of a record that is still `record`, for `leaseMs`; `undefined`: another process has it. */
  claimRenewal(record: SealedRecord, leaseMs: number): Promise<string | undefined>;
  /** Stores the renewed record and ends the right. False: it was lost meanwhile, and nothing was stored. */
  storeRenewed(renewalId: string, record: SealedRecord): Promise<boolean>;
  releaseRenewal(renewalId: string): Promise<void>;
}

/** How the token of a credential is renewed. */
export interface Renewal {
  isDue(data: JsonObject): boolean;
  /** The complete data with the new token. */
  renew(data: JsonObject, signal: AbortSignal): Promise<JsonObject>;
}

/** How long a process that renews is believed to be alive, in milliseconds; the renewal itself has to end well before. */
const leaseMs = 45_000;
const renewalTimeoutMs = 30_000;
/** How often those that wait look again. */
const pollMs = 100;

/**
 * The data of a credential, its token renewed where that is due: by one process of all that ask at the same time, whose answer is
 * stored before anybody uses it; the others wait and read it. `signal` ends a wait, never a renewal, since a service may have
 * rotated the refresh token by then.
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
    if (renewalId === undefined) await pause(signal);
    else {
      const renewed = await renewOnce(renewal, data, () => store.releaseRenewal(renewalId));
      if (await store.storeRenewed(renewalId, vault.seal(subject, renewed))) return renewed;
    }
  }
}

async function renewOnce(renewal: Renewal, data: JsonObject, release: () => Promise<void>): Promise<JsonObject> {
  try {
    return await renewal.renew(data, AbortSignal.timeout(renewalTimeoutMs));
  } catch (error) {
    await release();
    throw error;
  }
}

async function pause(signal: AbortSignal): Promise<void> {
  await delay(pollMs, undefined, { signal }).catch(() => signal.throwIfAborted());
}
