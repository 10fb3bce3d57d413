import { isAppError } from '@sluice/domain';
import { WrongEncryptionKeyError } from './errors.ts';
import type { SealedRecord, SealedSubject, Vault } from './vault.ts';

/** Storage of the canary; one per installation. */
export interface CanaryStore {
  /** Stores the record unless one exists. Resolves to the stored record. */
  getOrCreate(record: SealedRecord): Promise<SealedRecord>;
}

/**
 * The subject of the canary record. No credential has this type: the registry of credential types
 * reserves it.
 */
export const canarySubject: SealedSubject = { id: 'canary', type: 'canary' };

/**
 * Checks the ring against a record that was encrypted at the first start. Throws
 * `WrongEncryptionKeyError` if it does not open: otherwise this process would write credentials
 * that other processes cannot read, and could not read theirs.
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
