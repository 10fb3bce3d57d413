import type { SealedColumns } from '../tables/credential-tables.ts';

/** An encrypted record as `packages/vault` gives and takes it. */
export interface SealedData {
  version: number;
  keyId: string;
  wrappedDek: Buffer;
  iv: Buffer;
  ciphertext: Buffer;
  tag: Buffer;
}

/** The columns of a record; of a table or alias `c` where they are read from a join. */
export const sealedColumns = ['version', 'key_id', 'wrapped_dek', 'iv', 'ciphertext', 'tag'] as const;

export function toSealedColumns({ version, keyId, wrappedDek, iv, ciphertext, tag }: SealedData): SealedColumns {
  return { version, key_id: keyId, wrapped_dek: wrappedDek, iv, ciphertext, tag };
}

export function toSealedData({ version, key_id, wrapped_dek, iv, ciphertext, tag }: SealedColumns): SealedData {
  return { version, keyId: key_id, wrappedDek: wrapped_dek, iv, ciphertext, tag };
}
