import type { ExecutionId, JsonObject } from '@sluice/domain';
import type { CredentialSource } from '@sluice/engine';
import type { HttpAuthentication } from '@sluice/node-sdk';
import { SecretScrubber } from '@sluice/vault';
import type { CredentialOpener, OpenedCredential } from './credential-opener.ts';

/** How long, in milliseconds, an opened credential serves the items of a node: a lost share works at most this much longer. */
const reuseMs = 1_000;

/** The credentials of one execution, and what keeps their secrets out of its records and logs. */
export class ExecutionCredentials implements CredentialSource {
  readonly scrubber = new SecretScrubber();
  readonly #opener: CredentialOpener;
  readonly #executionId: ExecutionId;
  readonly #now: () => number;
  /** Uses that the audit log has. */
  readonly #seen = new Set<string>();
  readonly #opened = new Map<string, { until: number; credential: Promise<OpenedCredential> }>();

  /** `now`: milliseconds of any clock that does not jump. */
  constructor(opener: CredentialOpener, executionId: ExecutionId, now: () => number = () => performance.now()) {
    this.#opener = opener;
    this.#executionId = executionId;
    this.#now = now;
  }

  /** A copy, so that a node which changes it changes nobody else's. */
  async open(subject: { id: string; type: string }, signal: AbortSignal): Promise<JsonObject> {
    const { data, secrets } = await this.#openOnce(subject, signal);
    this.scrubber.add(secrets);
    return structuredClone(data);
  }

  async authentication(subject: { id: string; type: string }, signal: AbortSignal): Promise<HttpAuthentication> {
    return this.#opener.authentication(subject.type, await this.open(subject, signal));
  }

  hide(secret: string): void {
    this.scrubber.add(secret);
  }

  #openOnce(subject: { id: string; type: string }, signal: AbortSignal): Promise<OpenedCredential> {
    const key = JSON.stringify([subject.id, subject.type]);
    const known = this.#opened.get(key);
    if (known && this.#now() < known.until) return known.credential;
    const credential = this.#opener.open(subject, { executionId: this.#executionId, seen: this.#seen }, signal);
    this.#opened.set(key, { until: this.#now() + reuseMs, credential });
    credential.catch(() => this.#opened.delete(key));
    return credential;
  }
}
