import { randomBytes } from 'node:crypto';
import type { JsonObject } from '@sluice/domain';
import { CredentialUnreadableError } from './errors.ts';
import type { KeyRing } from './key-ring.ts';
import { keyBytes, type MasterKey } from './master-key.ts';
import { openBox, packBox, type SealedBox, sealBox, unpackBox } from './sealed-box.ts';

/** The subject of a record. Both parts are bound into it, so neither may ever change. */
export interface SealedSubject {
  id: string;
  /** Credential type. */
  type: string;
}

/** An encrypted credential as it is stored. */
export interface SealedRecord extends SealedBox {
  /** Version of this layout: 1. */
  version: number;
  /** Master key that wraps the data key. */
  keyId: string;
  /** The record's own data key (256 random bits), sealed by the master key: iv, tag, ciphertext. */
  wrappedDek: Buffer;
}

/** The part of a record that a rotation of the master key changes. */
export type WrappedKey = Pick<SealedRecord, 'keyId' | 'wrappedDek'>;

const recordVersion = 1;

/**
 * Envelope encryption: each record has its own data key, wrapped by a master key.
 * `v1|credential|<id>|<type>` is bound to both as additional data, so that a record that was
 * altered or moved to another row does not open.
 */
export class Vault {
  readonly #keys: KeyRing;

  constructor(keys: KeyRing) {
    this.#keys = keys;
  }

  get primaryKeyId(): string {
    return this.#keys.primary.id;
  }

  /** Whether the ring contains the master key; the record may still have been altered. */
  knows(keyId: string): boolean {
    return this.#keys.find(keyId) !== undefined;
  }

  seal(subject: SealedSubject, data: JsonObject): SealedRecord {
    const aad = additionalData(subject);
    const dek = randomBytes(keyBytes);
    const { primary } = this.#keys;
    const wrappedDek = packBox(sealBox(primary.bytes, dek, aad));
    // JSON.stringify escapes lone surrogates, so UTF-8 can encode any JSON text.
    const box = sealBox(dek, Buffer.from(JSON.stringify(data)), aad);
    return { version: recordVersion, keyId: primary.id, wrappedDek, ...box };
  }

  /** Throws `CredentialUnreadableError`. */
  open(subject: SealedSubject, record: SealedRecord): JsonObject {
    const aad = additionalData(subject);
    const dek = this.#unwrap(subject, record, aad);
    const text = guard(subject, () => openBox(dek, record, aad).toString());
    return JSON.parse(text) as JsonObject;
  }

  /**
   * The data key, rewrapped by the primary master key; the encrypted data is not read. Throws
   * `CredentialUnreadableError`.
   */
  rewrap(subject: SealedSubject, record: Omit<SealedRecord, keyof SealedBox>): WrappedKey {
    const aad = additionalData(subject);
    const dek = this.#unwrap(subject, record, aad);
    const { primary } = this.#keys;
    return { keyId: primary.id, wrappedDek: packBox(sealBox(primary.bytes, dek, aad)) };
  }

  #unwrap(subject: SealedSubject, { version, keyId, wrappedDek }: Omit<SealedRecord, keyof SealedBox>, aad: Buffer): Buffer {
    const key: MasterKey | undefined = this.#keys.find(keyId);
    if (version !== recordVersion || !key) throw new CredentialUnreadableError(subject.id, `no master key ${keyId}`);
    return guard(subject, () => openBox(key.bytes, unpackBox(wrappedDek), aad));
  }
}

/**
 * Ids and types contain no `|`: ids consist of letters, digits, `_`, and `-`; types are identifiers
 * of the registry.
 */
function additionalData({ id, type }: SealedSubject): Buffer {
  if (id.includes('|') || type.includes('|')) throw new Error('an id or a type contains the separator');
  return Buffer.from(`v${recordVersion}|credential|${id}|${type}`);
}

function guard<T>({ id }: SealedSubject, open: () => T): T {
  try {
    return open();
  } catch (error) {
    throw new CredentialUnreadableError(id, 'its record does not open with its master key', error);
  }
}
