import { guardedPorts } from '@sluice/credentials';
import type { CredentialRepository } from '@sluice/db';
import { errorMessage, isJsonObject, type JsonObject, type JsonValue, untilAborted } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import type { AuthenticationPorts, CredentialType, TokenRevocation } from '@sluice/node-sdk';
import { type SealedRecord, type SealedSubject, SecretScrubber, secretValues, type Vault } from '@sluice/vault';
import type { CredentialTypes } from './credential-types.ts';

interface TokenRevokerOptions {
  credentials: Pick<CredentialRepository, 'existsOfTypes'>;
  types: Pick<CredentialTypes, 'find' | 'rulesOf'>;
  /** Returns all types, to find those that share a grant. */
  listTypes(): readonly CredentialType[];
  vault: Vault;
  ports: AuthenticationPorts;
  logger: Logger;
  /** Timeout of one revocation, in milliseconds. */
  timeoutMs: number;
}

/** More revocations are skipped: deletion does not depend on them. */
const maxConcurrent = 20;

/** Resolves to the data whose tokens to revoke, or to `undefined` if the tokens must stay valid. */
type FindRevokedData = (revocation: TokenRevocation) => Promise<JsonObject | undefined>;

/**
 * Revokes the tokens of credentials that were deleted or connected again, at their services. Works
 * in the background and never fails: tokens that it cannot revoke are logged, and expire on their
 * own.
 */
export class TokenRevoker {
  readonly #options: TokenRevokerOptions;
  #running = 0;

  constructor(options: TokenRevokerOptions) {
    this.#options = options;
  }

  /**
   * Revokes the tokens of a deleted credential. A grant that other credentials may share is kept
   * while credentials of its types remain.
   */
  afterDeletion(credential: SealedSubject & { sealed: SealedRecord }): void {
    this.#start(credential, async (revocation) => {
      if (await this.#isShared(revocation)) return undefined;
      return this.#options.vault.open(credential, credential.sealed);
    });
  }

  /**
   * Revokes replaced tokens, unless this would also revoke the new ones: the service revokes the
   * whole grant, or has issued the same token again.
   */
  afterReplacement(subject: SealedSubject, replaced: JsonObject, data: JsonObject): void {
    const newTokens = tokensOf(data);
    const allReplaced = tokensOf(replaced).every((token) => !newTokens.includes(token));
    this.#start(subject, async ({ sharedGrant }) => (allReplaced && sharedGrant === undefined ? replaced : undefined));
  }

  #start(subject: SealedSubject, findRevokedData: FindRevokedData): void {
    const type = this.#options.types.find(subject.type);
    if (!type?.revocation) return;
    void this.#revoke(subject, type, type.revocation, findRevokedData);
  }

  async #revoke(
    { id }: SealedSubject,
    type: CredentialType,
    revocation: TokenRevocation,
    findRevokedData: FindRevokedData,
  ): Promise<void> {
    const { logger, ports, timeoutMs, types } = this.#options;
    const scrubber = new SecretScrubber();
    const logFields = { credentialId: id, type: type.name };
    if (this.#running >= maxConcurrent) return logger.warn(logFields, 'tokens not revoked: too many at a time');
    this.#running += 1;
    try {
      const data = await findRevokedData(revocation);
      if (data === undefined) return logger.info(logFields, 'tokens not revoked: others may share their grant');
      if (tokensOf(data).length === 0) return;
      scrubber.add(secretValues(data, types.rulesOf(type.name)));
      const signal = AbortSignal.timeout(timeoutMs);
      await untilAborted(revocation.revoke(data, guardedPorts(ports, type, data), signal), signal);
      logger.info(logFields, 'tokens revoked');
    } catch (error) {
      logger.warn({ ...logFields, error: scrubber.scrubText(errorMessage(error)) }, 'tokens not revoked');
    } finally {
      this.#running -= 1;
    }
  }

  async #isShared({ sharedGrant }: TokenRevocation): Promise<boolean> {
    if (sharedGrant === undefined) return false;
    const types = this.#options.listTypes().filter(({ revocation }) => revocation?.sharedGrant === sharedGrant);
    return this.#options.credentials.existsOfTypes(types.map(({ name }) => name));
  }
}

function tokensOf({ oauthTokenData: stored }: JsonObject): JsonValue[] {
  const token = isJsonObject(stored) ? stored : {};
  return [token['refresh_token'], token['access_token']].filter((value) => value !== undefined);
}
