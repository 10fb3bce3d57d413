import type { Credential, CredentialRepository } from '@sluice/db';
import { isAppError, isJsonObject, type JsonObject, type JsonValue, mapSliced } from '@sluice/domain';
import type { CredentialType } from '@sluice/node-sdk';
import type { Vault } from '@sluice/vault';
import type { Caller } from '../auth/caller.ts';

export interface CredentialProblem {
  kind: 'credentialNotConnected' | 'credentialExpired' | 'credentialExpiring' | 'credentialUnreadable';
  id: string;
  name: string;
  /** When the token expires or expired. */
  at: Date | null;
}

interface CredentialHealthOptions {
  credentials: Pick<CredentialRepository, 'list' | 'listSealed'>;
  types: readonly CredentialType[];
  vault: Vault;
}

const expiringMs = 7 * 86_400_000;
/** Maximum number of problems in a list. */
const maxProblems = 100;
/** Credentials whose data is in memory at the same time: each may have 1 MiB. */
const batchSize = 16;

/**
 * Finds credentials whose token is missing or cannot be renewed, so that users must connect them.
 */
export class CredentialHealth {
  readonly #options: CredentialHealthOptions;

  constructor(options: CredentialHealthOptions) {
    this.#options = options;
  }

  /** Only credentials that a user connects and the caller can see. */
  async list({ access }: Caller): Promise<CredentialProblem[]> {
    const { credentials, types } = this.#options;
    const connected = types.filter(({ consent }) => consent !== undefined).map(({ name }) => name);
    const visible = access['project:viewer'];
    const ids = (await credentials.list({ type: connected }, visible)).map(({ id }) => id);
    const problems: CredentialProblem[] = [];
    for (let start = 0; start < ids.length && problems.length < maxProblems; start += batchSize) {
      const batch = await credentials.listSealed({ ids: ids.slice(start, start + batchSize) }, visible);
      for (const problem of await mapSliced(batch, (credential) => this.#problemOf(credential)))
        if (problem) problems.push(problem);
    }
    return problems.slice(0, maxProblems);
  }

  #problemOf(credential: Credential): CredentialProblem | undefined {
    const { id, name } = credential;
    try {
      const state = stateOf(this.#options.vault.open(credential, credential.sealed), Date.now());
      return state && { id, name, ...state };
    } catch (error) {
      if (!isAppError(error) || error.code !== 'CREDENTIAL_UNREADABLE') throw error;
      return { kind: 'credentialUnreadable', id, name, at: null };
    }
  }
}

function stateOf(data: JsonObject, nowMs: number): Pick<CredentialProblem, 'kind' | 'at'> | undefined {
  if (data['grantType'] === 'clientCredentials') return undefined;
  const token = tokenIn(data['oauthTokenData']);
  if (typeof token['access_token'] !== 'string') return { kind: 'credentialNotConnected', at: null };
  const expiresAt = token['expiresAt'];
  if (typeof token['refresh_token'] === 'string' || typeof expiresAt !== 'number') return undefined;
  if (expiresAt > nowMs + expiringMs) return undefined;
  return { kind: expiresAt <= nowMs ? 'credentialExpired' : 'credentialExpiring', at: new Date(expiresAt) };
}

/** An imported credential may hold its token as JSON text. */
function tokenIn(value: JsonValue | undefined): JsonObject {
  if (isJsonObject(value)) return value;
  try {
    const parsed: unknown = JSON.parse(typeof value === 'string' ? value : '');
    return isJsonObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}
