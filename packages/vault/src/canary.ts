import { isAppError } from '@sluice/domain';
import { WrongEncryptionKeyError } from './errors.ts';
import type { SealedRecord, SealedSubject, Vault } from './vault.ts';

/** Where the canary is kept; one for an installation. */
export interface CanaryStore {
  /** Stores the record unless there is one already; resolves to the one that is stored then. */
  getOrCreate(record: SealedRecord): Promise<SealedRecord>;
}

/** What the canary record is bound to. No credential has this type: the registry of credential types reserves it. */
export const canarySubject: SealedSubject = { id: 'canary', type: 'canary' };

/**
 * Holds the ring against a record that was encrypted at the first start. Throws `WrongEncryptionKeyError` when it does not open:
 * going on would write credentials that the other processes cannot read, and read none of theirs.
 */
export async function checkCanary(vault: Vault, store: CanaryStore): Promise<void> {
  const record = await store.getOrCreate(vault.seal(canarySubject, {}));
  try {
    vault.open(canarySubject, record);
  } catch (error) {
    if (isAppError(error) && error.code === 'CREDENTIAL_UNREADABLE') throw new WrongEncryptionKeyError(record.keyId);
    throw error;
  }
}
