import type { SealedColumns } from '../tables/credential-tables.ts';

/** An encrypted record in the format of `packages/vault`. */
export interface SealedData {
  version: number;
  keyId: string;
  wrappedDek: Buffer;
  iv: Buffer;
  ciphertext: Buffer;
  tag: Buffer;
}

/** The columns of a record, prefixed with the table or alias `c` for joins. */
export const sealedColumns = ['version', 'key_id', 'wrapped_dek', 'iv', 'ciphertext', 'tag'] as const;

export function toSealedColumns({ version, keyId, wrappedDek, iv, ciphertext, tag }: SealedData): SealedColumns {
  return { version, key_id: keyId, wrapped_dek: wrappedDek, iv, ciphertext, tag };
}

export function toSealedData({ version, key_id, wrapped_dek, iv, ciphertext, tag }: SealedColumns): SealedData {
  return { version, keyId: key_id, wrappedDek: wrapped_dek, iv, ciphertext, tag };
}
