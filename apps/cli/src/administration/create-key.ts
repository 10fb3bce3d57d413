import { toApiKeyView } from '@sluice/api/views';
import { createApiKeyBody, parseInstant } from '@sluice/contract';
import { ApiKeyRepository, generateApiKey, noteForAudit } from '@sluice/db';
import { roleScopes } from '@sluice/domain';
import { ExitError, exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { administer } from './administer.ts';
import { checkInput } from './check-input.ts';
import { findUserOrOwner } from './find-user.ts';
import { printResult } from './print-result.ts';

export interface CreateKeyOptions {
  /** Email or ID; default: the owner. */
  user?: string;
  label: string;
  /** Separated by commas; default: every scope of the user's role. */
  scopes?: string;
  /** ISO 8601 date or date-time, or Unix seconds; default: never. */
  expiresAt?: string;
  json: boolean;
}

/** Creates an API key for a user and prints it in full. It cannot be shown again. */
export async function createKey(options: CreateKeyOptions, terminal: Terminal): Promise<void> {
  const rawApiKey = generateApiKey();
  const { apiKey, email } = await administer('apiKey.create', async (db) => {
    const user = await findUserOrOwner(db, options.user);
    const scopes = options.scopes?.split(',').map((scope) => scope.trim()) ?? [...roleScopes[user.role]];
    const input = checkInput(createApiKeyBody, { label: options.label, scopes });
    noteForAudit({ objectName: input.label, details: { user: user.email, scopes: input.scopes } });
    const keys = new ApiKeyRepository(db.kysely);
    const expiresAt = toExpiry(options.expiresAt);
    const key = { userId: user.id, label: input.label, rawKey: rawApiKey, scopes: input.scopes, expiresAt };
    return { apiKey: toApiKeyView(await keys.create(key)), email: user.email };
  });
  printResult(terminal, {
    json: options.json,
    document: { ...apiKey, rawApiKey },
    lines: [
      ['id', apiKey.id],
      ['user', email],
      ['scopes', apiKey.scopes.join(',')],
      ['key', rawApiKey],
    ],
  });
}

function toExpiry(text: string | undefined): Date | null {
  if (text === undefined) return null;
  // Milliseconds have more digits.
  const expiresAt = /^\d{1,11}$/.test(text) ? Number(text) * 1000 : parseInstant(text);
  if (expiresAt !== undefined && expiresAt > Date.now()) return new Date(expiresAt);
  throw new ExitError(exitCodes.usage, '--expires-at must be an ISO 8601 date or date-time, or Unix seconds, in the future');
}
