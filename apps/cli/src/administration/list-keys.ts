import { toApiKeyView } from '@sluice/api/views';
import { ApiKeyRepository } from '@sluice/db';
import type { Terminal } from '../terminal.ts';
import { withDatabase } from './administer.ts';
import { findUserOrOwner } from './find-user.ts';
import { printTable } from './print-table.ts';

export interface ListKeysOptions {
  /** Email or ID; default: the owner. */
  user?: string;
  json: boolean;
}

/** Prints the API keys of a user, newest first, in redacted form. */
export async function listKeys({ user, json }: ListKeysOptions, terminal: Terminal): Promise<void> {
  const keys = await withDatabase(async (db) => new ApiKeyRepository(db.kysely).listOf((await findUserOrOwner(db, user)).id));
  const rows = keys.map((key) => [key.id, key.label, key.redactedKey, expiryOf(key.expiresAt), usedAt(key.lastUsedAt)]);
  printTable(terminal, { json, documents: keys.map(toApiKeyView), rows });
}

function expiryOf(expiresAt: Date | null): string {
  return expiresAt === null ? 'never expires' : `expires ${expiresAt.toISOString()}`;
}

function usedAt(lastUsedAt: Date | null): string {
  return lastUsedAt === null ? 'never used' : `last used ${lastUsedAt.toISOString()}`;
}
