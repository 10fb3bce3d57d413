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
  /** All types, for those that share a grant. */
  listTypes(): readonly CredentialType[];
  vault: Vault;
  ports: AuthenticationPorts;
  logger: Logger;
  /** Timeout of one revocation, in milliseconds. */
  timeoutMs: number;
}

/** Maximum number of concurrent revocations. Others are skipped: deletion does not depend on them. */
const maxAtOnce = 20;

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
    const now = tokensOf(data);
    const isNew = tokensOf(replaced).every((token) => !now.includes(token));
    this.#start(subject, async ({ sharedGrant }) => (isNew && sharedGrant === undefined ? replaced : undefined));
  }

  /** `dataFor` resolves to `undefined` if the tokens must stay valid. */
  #start(subject: SealedSubject, dataFor: (revocation: TokenRevocation) => Promise<JsonObject | undefined>): void {
    const type = this.#options.types.find(subject.type);
    if (!type?.revocation) return;
    void this.#revoke(subject, type, type.revocation, dataFor);
  }

  async #revoke(
    { id }: SealedSubject,
    type: CredentialType,
    revocation: TokenRevocation,
    dataFor: (revocation: TokenRevocation) => Promise<JsonObject | undefined>,
  ): Promise<void> {
    const { logger, ports, timeoutMs, types } = this.#options;
    const scrubber = new SecretScrubber();
    const about = { credentialId: id, type: type.name };
    if (this.#running >= maxAtOnce) return logger.warn(about, 'tokens not revoked: too many at a time');
    this.#running += 1;
    try {
      const data = await dataFor(revocation);
      if (data && tokensOf(data).length === 0) return;
      if (data === undefined) return logger.info(about, 'tokens not revoked: others may share their grant');
      scrubber.add(secretValues(data, types.rulesOf(type.name)));
      const ended = AbortSignal.timeout(timeoutMs);
      await untilAborted(revocation.revoke(data, guardedPorts(ports, type, data), ended), ended);
      logger.info(about, 'tokens revoked');
    } catch (error) {
      logger.warn({ ...about, error: scrubber.scrubText(errorMessage(error)) }, 'tokens not revoked');
    } finally {
      this.#running -= 1;
    }
  }

  async #isShared({ sharedGrant }: TokenRevocation): Promise<boolean> {
    if (sharedGrant === undefined) return false;
    const sharing = this.#options.listTypes().filter(({ revocation }) => revocation?.sharedGrant === sharedGrant);
    return this.#options.credentials.existsOfTypes(sharing.map(({ name }) => name));
  }
}

function tokensOf({ oauthTokenData: stored }: JsonObject): JsonValue[] {
  const token = isJsonObject(stored) ? stored : {};
  return [token['refresh_token'], token['access_token']].filter((value) => value !== undefined);
}
