import { toApiKeyView } from '@sluice/api/views';
import { ApiKeyRepository, noteForAudit } from '@sluice/db';
import type { Terminal } from '../terminal.ts';
import { administer } from './administer.ts';
import { findUserOrOwner } from './find-user.ts';
import type { ListKeysOptions } from './list-keys.ts';
import { printResult } from './print-result.ts';

/** Revokes an API key of a user, and every key created with it. Throws `NotFoundError`. */
export async function revokeKey(id: string, { user, json }: ListKeysOptions, terminal: Terminal): Promise<void> {
  const key = await administer('apiKey.revoke', async (db) => {
    const owner = await findUserOrOwner(db, user);
    noteForAudit({ objectId: id, details: { user: owner.email } });
    return new ApiKeyRepository(db.kysely).revoke(id, owner.id, () => undefined);
  });
  printResult(terminal, { json, document: toApiKeyView(key), lines: [['revoked', `${key.id}  ${key.label}`]] });
}
