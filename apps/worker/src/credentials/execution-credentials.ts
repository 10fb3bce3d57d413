import type { JsonObject } from '@sluice/domain';
import type { CredentialSource } from '@sluice/engine';
import type { HttpAuthentication } from '@sluice/node-sdk';
import { SecretScrubber } from '@sluice/vault';
import type { CredentialOpener, CredentialUser, OpenedCredential } from './credential-opener.ts';

/** How long, in milliseconds, an opened credential serves the items of a node: a lost share works at most this much longer. */
const reuseMs = 1_000;

interface Subject {
  id: string;
  type: string;
}

/** The credentials of one execution, or of one trigger that polls or listens, and what keeps their secrets out of records and logs. */
export class ExecutionCredentials implements CredentialSource {
  readonly scrubber = new SecretScrubber();
  readonly #opener: CredentialOpener;
  readonly #user: CredentialUser;
  readonly #now: () => number;
  readonly #seen: Set<string>;
  readonly #opened = new Map<string, { until: number; credential: Promise<OpenedCredential> }>();

  /** `seen`: uses that the audit log has. `now`: milliseconds of any clock that does not jump. */
  constructor(
    opener: CredentialOpener,
    user: CredentialUser,
    { seen = new Set<string>(), now = () => performance.now() }: { seen?: Set<string>; now?: () => number } = {},
  ) {
    this.#opener = opener;
    this.#user = user;
    this.#seen = seen;
    this.#now = now;
  }

  /** A copy, so that a node which changes it changes nobody else's. */
  async open(subject: Subject, signal: AbortSignal): Promise<JsonObject> {
    return (await this.#openCopy(subject, signal)).data;
  }

  async authentication(subject: Subject, signal: AbortSignal): Promise<HttpAuthentication> {
    return this.#authentication(subject, await this.#openCopy(subject, signal));
  }

  hide(secret: string): void {
    this.scrubber.add(secret);
  }

  #authentication(subject: Subject, { data, stored }: OpenedCredential): HttpAuthentication {
    return this.#opener.authentication(subject.type, data, async (signal) =>
      this.#authentication(subject, await this.#openCopy(subject, signal, stored)),
    );
  }

  async #openCopy(subject: Subject, signal: AbortSignal, refused?: JsonObject): Promise<OpenedCredential> {
    const credential = await this.#openOnce(subject, signal, refused);
    this.scrubber.add(credential.secrets);
    return { ...credential, data: structuredClone(credential.data) };
  }

  #openOnce(subject: Subject, signal: AbortSignal, refused: JsonObject | undefined): Promise<OpenedCredential> {
    const key = JSON.stringify([subject.id, subject.type]);
    const known = this.#opened.get(key);
    if (known && !refused && this.#now() < known.until) return known.credential;
    const credential = this.#opener.open(subject, { user: this.#user, seen: this.#seen, refused }, signal);
    this.#opened.set(key, { until: this.#now() + reuseMs, credential });
    credential.catch(() => this.#opened.delete(key));
    return credential;
  }
}
