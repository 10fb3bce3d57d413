import { isAppError } from '@sluice/domain';
import { type CanaryStore, canarySubject, checkCanary } from './canary.ts';
import type { SealedRecord, SealedSubject, Vault, WrappedKey } from './vault.ts';

interface WrappedRecord extends SealedSubject, Pick<SealedRecord, 'version' | 'keyId' | 'wrappedDek'> {}

/** Storage of wrapped data keys. */
export interface RotationStore extends CanaryStore {
  /** Credentials wrapped by a key other than `keyId`, ordered by id, starting after `afterId`. */
  listWrappedByOthers(keyId: string, afterId: string, limit: number): Promise<WrappedRecord[]>;
  countWrappedByOthers(keyId: string): Promise<number>;
  /** Compare and set: replaces wrappings that are still `from`. Resolves to the number written. */
  replaceWrapped(changes: readonly { id: string; from: Buffer; to: WrappedKey }[]): Promise<number>;
  replaceCanary(from: Buffer, to: WrappedKey): Promise<boolean>;
}

interface RotationReport {
  /** The primary master key, which now wraps the rotated data keys. */
  keyId: string;
  rewrapped: number;
  /** Number of records that another process wrote in the meantime. */
  changedMeanwhile: number;
  /** Ids of credentials that cannot be opened with any key of the ring. */
  unreadable: string[];
  /**
   * Number of credentials still wrapped by a key other than the primary key; at 0, the other keys
   * may be removed.
   */
  remaining: number;
}

/**
 * Rewraps every credential's data key with the primary master key, in batches, while the service
 * runs. No credential is decrypted, and records that change in the meantime are skipped. Can be
 * stopped and repeated at any point. Throws `WRONG_ENCRYPTION_KEY` before it writes anything.
 */
export async function rotateMasterKey(vault: Vault, store: RotationStore, batchSize = 500): Promise<RotationReport> {
  await checkCanary(vault, store);
  const report: RotationReport = {
    keyId: vault.primaryKeyId,
    rewrapped: 0,
    changedMeanwhile: 0,
    unreadable: [],
    remaining: 0,
  };
  for (let afterId = ''; ; ) {
    const batch = await store.listWrappedByOthers(report.keyId, afterId, batchSize);
    const last = batch.at(-1);
    if (!last) break;
    afterId = last.id;
    await rotateBatch(vault, store, batch, report);
  }
  await rotateCanary(vault, store);
  report.remaining = await store.countWrappedByOthers(report.keyId);
  return report;
}

async function rotateBatch(
  vault: Vault,
  store: RotationStore,
  batch: readonly WrappedRecord[],
  report: RotationReport,
): Promise<void> {
  const changes = batch.flatMap((record) => {
    const to = rewrapped(vault, record);
    if (!to) report.unreadable.push(record.id);
    return to ? [{ id: record.id, from: record.wrappedDek, to }] : [];
  });
  if (changes.length === 0) return;
  const written = await store.replaceWrapped(changes);
  report.rewrapped += written;
  report.changedMeanwhile += changes.length - written;
}

function rewrapped(vault: Vault, record: WrappedRecord): WrappedKey | undefined {
  try {
    return vault.rewrap(record, record);
  } catch (error) {
    if (isAppError(error) && error.code === 'CREDENTIAL_UNREADABLE') return undefined;
    throw error;
  }
}

/**
 * The canary comes last, so that processes with only the old key can start until everything is
 * rotated.
 */
async function rotateCanary(vault: Vault, store: RotationStore): Promise<void> {
  const canary = await store.getOrCreate(vault.seal(canarySubject, {}));
  if (canary.keyId !== vault.primaryKeyId) await store.replaceCanary(canary.wrappedDek, vault.rewrap(canarySubject, canary));
}
