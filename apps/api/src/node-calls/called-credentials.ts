import type { AuditEntry, CredentialUseRepository, SealedData } from '@sluice/db';
import { AppError, type JsonObject } from '@sluice/domain';
import type { CredentialSource } from '@sluice/engine';
import {
  type AuthenticationPorts,
  boundRenewal,
  credentialAuthentication,
  type HttpAuthentication,
  renewedAfterRefusal,
} from '@sluice/node-sdk';
import { openFresh, type RenewalStore, SecretScrubber, secretValues, type Vault } from '@sluice/vault';
import type { CredentialTypes } from '../credentials/credential-types.ts';

/** A credential as some project, or some user, may use it. */
export interface FoundCredential {
  type: string;
  name: string;
  usable: boolean;
  sealed: SealedData;
}

/** Whose credentials they are, and who is to be named for using them. */
export interface CredentialUser {
  /** `undefined`: there is no such credential. */
  find(id: string): Promise<FoundCredential | undefined>;
  /** Of the audit log's line of a use. */
  entry: Pick<AuditEntry, 'actor' | 'userId' | 'projectId' | 'details'>;
}

export interface CalledCredentialsOptions {
  renewals: Pick<CredentialUseRepository, 'claimRenewal' | 'storeRenewed' | 'releaseRenewal'>;
  types: CredentialTypes;
  vault: Vault;
  ports: AuthenticationPorts;
  audit: { record(entry: AuditEntry): void };
}

interface Subject {
  id: string;
  type: string;
}

interface Opened {
  /** As nodes are given it. */
  data: JsonObject;
  stored: JsonObject;
}

/** The credentials of nodes that are called outside of executions, and what keeps their secrets out of answers and logs. One for each call. */
export class CalledCredentials implements CredentialSource {
  readonly scrubber = new SecretScrubber();
  readonly #options: CalledCredentialsOptions;
  readonly #user: CredentialUser;
  /** Uses that the audit log has. */
  readonly #seen = new Set<string>();

  constructor(options: CalledCredentialsOptions, user: CredentialUser) {
    this.#options = options;
    this.#user = user;
  }

  async open(subject: Subject, signal: AbortSignal): Promise<JsonObject> {
    return (await this.#open(subject, signal)).data;
  }

  async authentication(subject: Subject, signal: AbortSignal): Promise<HttpAuthentication> {
    return this.#authentication(subject, await this.#open(subject, signal));
  }

  #authentication(subject: Subject, { data, stored }: Opened): HttpAuthentication {
    const { types, ports } = this.#options;
    const type = types.find(subject.type);
    return renewedAfterRefusal(credentialAuthentication(subject.type, type, data, ports), type, async (signal) =>
      this.#authentication(subject, await this.#open(subject, signal, stored)),
    );
  }

  /** @param refused what was stored when a service refused it. */
  async #open(subject: Subject, signal: AbortSignal, refused?: JsonObject): Promise<Opened> {
    const { types, vault, ports } = this.#options;
    const type = types.find(subject.type);
    const renewal = boundRenewal(type, ports, refused);
    const stored = await openFresh(vault, subject, { store: this.#storeOf(subject), renewal, signal });
    const data = type?.complete?.(stored) ?? stored;
    this.scrubber.add(secretValues(data, types.rulesOf(subject.type)));
    return { data: structuredClone(data), stored };
  }

  hide(secret: string): void {
    this.scrubber.add(secret);
  }

  #storeOf({ id, type }: Subject): RenewalStore {
    const { renewals } = this.#options;
    return {
      read: async () => {
        const found = await this.#user.find(id);
        if (found?.type !== type) throw notFound(id, type);
        this.#note(id, found);
        if (!found.usable) throw notAccessible(id);
        return found.sealed;
      },
      claimRenewal: (record, leaseMs) => renewals.claimRenewal(id, record, leaseMs),
      storeRenewed: (renewalId, record) => renewals.storeRenewed(id, renewalId, record),
      releaseRenewal: (renewalId) => renewals.releaseRenewal(id, renewalId),
    };
  }

  #note(id: string, { name, usable }: FoundCredential): void {
    if (this.#seen.has(id)) return;
    this.#seen.add(id);
    this.#options.audit.record({
      ...this.#user.entry,
      keyId: null,
      ip: null,
      requestId: null,
      action: 'credential.use',
      objectType: 'credential',
      objectId: id,
      objectName: name,
      outcome: usable ? 'success' : 'denied',
    });
  }
}

function notFound(id: string, type: string): AppError {
  return new AppError({ code: 'CREDENTIAL_NOT_FOUND', message: `there is no credential ${id.slice(0, 64)} of type "${type}"` });
}

function notAccessible(id: string): AppError {
  return new AppError({ code: 'CREDENTIAL_NOT_ACCESSIBLE', message: `credential ${id.slice(0, 64)} may not be used here` });
}
