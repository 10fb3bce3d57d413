import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { StartedConsent } from '@sluice/contract';
import { guardedPorts } from '@sluice/credentials';
import {
  type AuditActor,
  type AuditLog,
  type Credential,
  type CredentialConsent,
  type CredentialConsentRepository,
  type CredentialRepository,
  noteForAudit,
  type UserRepository,
} from '@sluice/db';
import { AppError, ConflictError, isAppError, type JsonObject, ValidationError } from '@sluice/domain';
import type { AuthenticationPorts, UserConsent } from '@sluice/node-sdk';
import { isSameSecret, type SealedSubject, SecretScrubber, secretValues, type Vault } from '@sluice/vault';
import type { Caller } from '../auth/caller.ts';
import { ownCookiePrefix } from '../http/headers/own-cookies.ts';
import { auditAct } from '../http/logs/audit-act.ts';
import type { CredentialTypes } from './credential-types.ts';
import type { TokenRevoker } from './token-revoker.ts';

interface CredentialConsentsOptions {
  credentialConsents: CredentialConsentRepository;
  credentials: CredentialRepository;
  users: UserRepository;
  types: CredentialTypes;
  vault: Vault;
  ports: AuthenticationPorts;
  audit: AuditLog;
  revoker: Pick<TokenRevoker, 'afterReplacement'>;
  /** Base URL for browsers; null if unknown. */
  publicUrl: string | null;
  /** Timeout of a token request, in milliseconds. */
  timeoutMs: number;
}

/** The result that a user's browser brings back from the service. */
export type ConsentResponse = { state: string } & (
  | { code: string; parameters: Readonly<Record<string, string>> }
  | { refusal: string }
);

/** A consent as its page shows it, and the cookie that binds it to a browser. */
interface ConsentRequestView {
  requestedBy: string;
  credentialName: string;
  projectName: string;
  /** Address at the service. */
  url: string;
  cookie: { name: string; value: string; expiresAt: Date };
}

/** Sealed by the vault until the user returns. */
interface PendingConsent extends JsonObject {
  /** The consent state: `UserConsent.begin` returns it, `complete` accepts it. */
  kept: JsonObject;
  /** Address at the service. */
  url: string;
  /** Cookie value of the browser that may return. */
  browser: string;
}

/** A consent that the callback has used up, with the email of its user. */
type TakenConsent = CredentialConsent & { email: string };

/** Milliseconds within which the user must return. */
const lifetimeMs = 600_000;

/**
 * Lets users connect credentials (OAuth 2, authorization code). `begin` returns the URL of our
 * page, which shows who requests which connection and sets a cookie. The service redirects the
 * browser back with a code and a single-use state. The callback is authenticated by state and
 * cookie, since a browser sends no API key.
 */
export class CredentialConsents {
  readonly #options: CredentialConsentsOptions;

  constructor(options: CredentialConsentsOptions) {
    this.#options = options;
  }

  /** Throws `ValidationError` for a credential that needs no consent, and what an update throws. */
  async begin(id: string, caller: Caller): Promise<StartedConsent> {
    const { credentialConsents, credentials, vault, publicUrl } = this.#options;
    const credential = await credentials.getOwned(id, caller.access['project:editor']);
    if (credential.isManaged) throw new ValidationError('managed credentials cannot be updated', '');
    if (publicUrl === null)
      throw new ConflictError('PUBLIC_URL must be set: otherwise the service cannot redirect the user back');
    const [state, browser] = [this.#randomText(), this.#randomText()];
    const started = this.#startConsent(credential, { redirectUri: `${publicUrl}/oauth2/callback`, state });
    const hash = hashOf(state);
    const consent = { credentialId: id, userId: caller.userId, keyId: caller.keyId };
    const pendingConsent: PendingConsent = { kept: started.consentState, url: started.url, browser };
    const sealed = vault.seal(subjectOf(hash), pendingConsent);
    noteForAudit({ objectName: credential.name, projectId: credential.projectId });
    const expiresAt = await credentialConsents.begin(hash, { ...consent, sealed }, lifetimeMs);
    return { authorizationUrl: `${publicUrl}/oauth2/connect?state=${state}`, expiresAt: expiresAt.toISOString() };
  }

  /** The consent with this state, for the page that confirms it. Throws `CONSENT_EXPIRED`. */
  async present(state: string): Promise<ConsentRequestView> {
    const { credentialConsents, vault } = this.#options;
    const hash = hashOf(state);
    const consent = await credentialConsents.find(hash);
    if (!consent) throw expired();
    const { email: requestedBy, credentialName, projectName, expiresAt, sealed } = consent;
    const { url, browser: value } = vault.open(subjectOf(hash), sealed) as PendingConsent;
    return { requestedBy, credentialName, projectName, url, cookie: { name: this.#cookieName(hash), value, expiresAt } };
  }

  /**
   * Exchanges the user's code for a token and stores it. Resolves to the credential name. Uses up
   * the state, even on failure. Throws `CONSENT_EXPIRED`, `CONSENT_OTHER_BROWSER`,
   * `CONSENT_REFUSED`, and what `UserConsent.complete` and an update throw.
   */
  async complete(
    response: ConsentResponse,
    cookies: ReadonlyMap<string, string>,
    from: Pick<AuditActor, 'ip' | 'requestId'>,
  ): Promise<string> {
    const { credentialConsents, audit } = this.#options;
    const hash = hashOf(response.state);
    const consent = await credentialConsents.take(hash);
    if (!consent) throw expired();
    const { credentialId: objectId, userId, keyId, email: actor } = consent;
    const act = { actor: { ...from, actor, userId, keyId }, action: 'credential.connect', objectId };
    const { body } = await auditAct(act, audit, async () => {
      const consentState = this.#consentStateFor(cookies, consent, hash);
      return { body: await this.#connect(response, consent, consentState) };
    });
    return body.name;
  }

  #startConsent(credential: Credential, request: Parameters<UserConsent['begin']>[1]) {
    const { types, vault, ports } = this.#options;
    const consent = types.require(credential.type, '/type').consent;
    try {
      const started = consent?.begin(vault.open(credential, credential.sealed), request, ports);
      if (started) return started;
    } catch (error) {
      if (isAppError(error) && error.code === 'CREDENTIAL_INCOMPLETE') throw new ValidationError(error.message, '/data');
      throw error;
    }
    throw new ValidationError('this credential needs no consent: its type or grant type does not use one', '/type');
  }

  /** The stored state, for the browser of the consent only. Throws `CONSENT_OTHER_BROWSER`. */
  #consentStateFor(cookies: ReadonlyMap<string, string>, { sealed }: TakenConsent, hash: Buffer): JsonObject {
    const { kept: consentState, browser } = this.#options.vault.open(subjectOf(hash), sealed) as PendingConsent;
    if (isSameSecret(cookies.get(this.#cookieName(hash)) ?? '', browser)) return consentState;
    const message = 'this browser did not start the connection: open the address that connects the credential, and start there';
    throw new AppError({ code: 'CONSENT_OTHER_BROWSER', message });
  }

  /** With the prefix, browsers accept the cookie only from this host, over https. */
  #cookieName(hash: Buffer): string {
    const prefix = this.#options.publicUrl?.startsWith('https:') ? '__Host-' : '';
    return `${prefix}${ownCookiePrefix}${hash.toString('hex', 0, 8)}`;
  }

  #randomText(): string {
    return Buffer.from(this.#options.ports.randomBytes(32)).toString('base64url');
  }

  async #connect(response: ConsentResponse, consent: TakenConsent, consentState: JsonObject) {
    if ('refusal' in response) {
      throw new AppError({ code: 'CONSENT_REFUSED', message: `the service returned no code: ${response.refusal}` });
    }
    const { credentials, vault } = this.#options;
    const credential = await credentials.getOwned(consent.credentialId, await this.#accessOf(consent));
    const data = vault.open(credential, credential.sealed);
    const { code, parameters } = response;
    const connected = await this.#exchange(credential.type, data, { code, consentState, parameters });
    let replaced = data;
    const updated = await credentials.update(consent.credentialId, await this.#accessOf(consent), (current) => {
      if (current.isManaged) throw new ValidationError('managed credentials cannot be updated', '');
      replaced = vault.open(current, current.sealed);
      assertSame(data, replaced);
      return { name: current.name, isGlobal: current.isGlobal, sealed: vault.seal(current, connected) };
    });
    this.#options.revoker.afterReplacement(credential, replaced, connected);
    return updated;
  }

  /** Removes secrets from the service's errors, which may repeat the request. */
  async #exchange(typeName: string, data: JsonObject, response: Parameters<UserConsent['complete']>[1]): Promise<JsonObject> {
    const { types, ports, timeoutMs } = this.#options;
    const consent = types.require(typeName, '/type').consent as UserConsent;
    const scrubber = new SecretScrubber();
    scrubber.add([response.code, response.consentState, secretValues(data, types.rulesOf(typeName))]);
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      return await consent.complete(data, response, guardedPorts(ports, types.require(typeName, '/type'), data), signal);
    } catch (error) {
      const late = `the service returned no token within ${timeoutMs / 1_000} seconds`;
      const message = isAppError(error) ? error.message : 'the token could not be requested from the service';
      const code = isAppError(error) ? error.code : 'CREDENTIAL_TOKEN_REFUSED';
      throw new AppError({ code, message: signal.aborted ? late : scrubber.scrubText(message), cause: error });
    }
  }

  /** The caller with its current rights, which may have changed since the consent started. */
  #accessOf({ userId }: TakenConsent) {
    return this.#options.users.accessOf(userId, 'project:editor');
  }
}

function expired(): AppError {
  return new AppError({ code: 'CONSENT_EXPIRED', message: 'this consent has already been used, or has expired' });
}

function hashOf(state: string): Buffer {
  return createHash('sha256').update(state).digest();
}

/** A stored consent can be opened only with its own state. */
function subjectOf(hash: Buffer): SealedSubject {
  return { id: hash.toString('base64url'), type: 'consent' };
}

/** A worker may have renewed the old token; any other change is a user's, which wins. */
function assertSame({ oauthTokenData: _, ...before }: JsonObject, { oauthTokenData: __, ...now }: JsonObject): void {
  if (!isDeepStrictEqual(before, now))
    throw new ConflictError('the credential has been changed in the meantime: connect it again');
}
