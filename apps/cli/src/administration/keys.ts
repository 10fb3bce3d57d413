import { toApiKeyView } from '@sluice/api/views';
import { createApiKeyBody, parseInstant } from '@sluice/contract';
import { ApiKeyRepository, generateApiKey, noteForAudit } from '@sluice/db';
import { roleScopes } from '@sluice/domain';
import { ExitError, exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { administer, withDatabase } from './administer.ts';
import { checkInput } from './check-input.ts';
import { findUserOrOwner } from './find-user.ts';
import { printResult, printTable } from './print.ts';

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

/** Revokes an API key of a user, and every key created with it. Throws `NotFoundError`. */
export async function revokeKey(id: string, { user, json }: ListKeysOptions, terminal: Terminal): Promise<void> {
  const key = await administer('apiKey.revoke', async (db) => {
    const owner = await findUserOrOwner(db, user);
    noteForAudit({ objectId: id, details: { user: owner.email } });
    return new ApiKeyRepository(db.kysely).revoke(id, owner.id, () => undefined);
  });
  printResult(terminal, { json, document: toApiKeyView(key), lines: [['revoked', `${key.id}  ${key.label}`]] });
}
