import type { JsonObject } from '@sluice/domain';
import type { HttpAuthentication, HttpClient } from '@sluice/node-sdk';
import { type SealedSubject, SecretScrubber } from '@sluice/vault';
import type { CredentialOpener, OpenedCredential } from './credential-opener.ts';
import type { CredentialUser, FoundCredential } from './credential-user.ts';
import { HandedOutCredentials } from './handed-out-credentials.ts';

/**
 * Milliseconds for which an opened credential is reused for a node's items; a revoked share works
 * for at most this much longer.
 */
const reuseMs = 1_000;

export interface SessionOptions {
  /** Uses that are already in the audit log. */
  seen?: Set<string>;
  /** Milliseconds of a monotonic clock. */
  now?: () => number;
}

/**
 * The credentials of one execution, trigger, or node method, and the scrubber that keeps their
 * secrets out of records, logs, and responses. Implements the engine's `CredentialProvider`.
 */
export class CredentialSession {
  readonly scrubber = new SecretScrubber();
  readonly #handedOut = new HandedOutCredentials();
  readonly #opener: CredentialOpener;
  readonly #user: CredentialUser;
  readonly #now: () => number;
  readonly #seen: Set<string>;
  readonly #opened = new Map<string, { subject: SealedSubject; until: number; credential: Promise<OpenedCredential> }>();

  constructor(
    opener: CredentialOpener,
    user: CredentialUser,
    { seen = new Set<string>(), now = () => performance.now() }: SessionOptions = {},
  ) {
    this.#opener = opener;
    this.#user = user;
    this.#seen = seen;
    this.#now = now;
  }

  /** Resolves to a copy: a node that changes it does not affect others. */
  async open(subject: SealedSubject, signal: AbortSignal): Promise<JsonObject> {
    const { data, secrets } = await this.#open(subject, signal);
    this.#handedOut.add(keyOf(subject), secrets, this.#opener.hostChecks(subject.type, data));
    return structuredClone(data);
  }

  async authentication(subject: SealedSubject, signal: AbortSignal): Promise<HttpAuthentication> {
    return this.#authentication(subject, await this.#open(subject, signal));
  }

  /** The credentials that were opened, for work that outlives an opening, such as a connection. */
  opened(): SealedSubject[] {
    return [...this.#opened.values()].map(({ subject }) => subject);
  }

  /**
   * Checks the current state of an opened credential. Throws `CredentialNotFoundError`,
   * `CredentialNotAccessibleError`.
   */
  assertUsable(subject: SealedSubject, credential: Omit<FoundCredential, 'sealed'> | undefined): void {
    this.#opener.assertUsable(subject, credential, this.#seen);
  }

  /**
   * The client for nodes, which may put secrets into requests themselves: it throws
   * `CREDENTIAL_HOST_NOT_ALLOWED` as if the credential had been attached.
   */
  guarded(http: HttpClient): HttpClient {
    return this.#handedOut.guarded(http);
  }

  /** Adds a secret to the scrubber. */
  hide(secret: string): void {
    this.scrubber.add(secret);
  }

  /** JSON text without the secrets known so far. */
  withoutSecrets(json: string, signal: AbortSignal): string | Promise<string> {
    return this.scrubber.scrubJson(json, signal);
  }

  #authentication(subject: SealedSubject, opened: OpenedCredential): HttpAuthentication {
    return this.#opener.authentication(subject.type, opened, async (signal) =>
      this.#authentication(subject, await this.#open(subject, signal, opened.stored)),
    );
  }

  async #open(subject: SealedSubject, signal: AbortSignal, refused?: JsonObject): Promise<OpenedCredential> {
    const opened = await this.#openOnce(subject, signal, refused);
    this.scrubber.add(opened.secrets);
    return opened;
  }

  #openOnce(subject: SealedSubject, signal: AbortSignal, refused: JsonObject | undefined): Promise<OpenedCredential> {
    const key = keyOf(subject);
    const cached = this.#opened.get(key);
    if (cached && !refused && this.#now() < cached.until) return cached.credential;
    const credential = this.#opener.open(subject, { user: this.#user, seen: this.#seen, refused }, signal);
    this.#opened.set(key, { subject, until: this.#now() + reuseMs, credential });
    credential.catch(() => this.#opened.delete(key));
    return credential;
  }
}

function keyOf({ id, type }: SealedSubject): string {
  return JSON.stringify([id, type]);
}
