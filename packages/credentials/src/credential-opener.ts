import { AppError, type JsonObject, type JsonValue, ownProperty } from '@sluice/domain';
import {
  boundRenewal,
  type CredentialPorts,
  type CredentialType,
  credentialAuthentication,
  type HttpAuthentication,
  type HttpDestination,
  renewedAfterRefusal,
} from '@sluice/node-sdk';
import { openFresh, type RenewalStore, type SealedSubject, secretValues, type Vault } from '@sluice/vault';
import { allowedHostsOf, assertHostAllowed, isRestrictedByOwner } from './allowed-hosts.ts';
import { type CredentialUseEntry, type CredentialUser, type FoundCredential, useEntry } from './credential-user.ts';
import { guardedPorts, guardedRenewal, ownApiOf } from './guarded-ports.ts';
import type { HostChecks } from './handed-out-credentials.ts';
import { redactionRulesOf } from './redaction-rules.ts';

/** Storage of renewed tokens, by credential id; see `RenewalStore`. */
interface CredentialRenewals {
  claimRenewal(id: string, ...args: Parameters<RenewalStore['claimRenewal']>): ReturnType<RenewalStore['claimRenewal']>;
  storeRenewed(id: string, ...args: Parameters<RenewalStore['storeRenewed']>): ReturnType<RenewalStore['storeRenewed']>;
  releaseRenewal(id: string, ...args: Parameters<RenewalStore['releaseRenewal']>): ReturnType<RenewalStore['releaseRenewal']>;
}

export interface CredentialOpenerOptions {
  credentialUses: CredentialRenewals;
  vault: Vault;
  types: { find(name: string): CredentialType | undefined };
  ports: CredentialPorts;
  /** Buffers audit entries and writes them shortly after. */
  audit: { record(entry: CredentialUseEntry): void };
}

/** A decrypted credential. */
export interface OpenedCredential {
  /** The data in the form that nodes receive. */
  data: JsonObject;
  /** The data as stored. */
  stored: JsonObject;
  /** Values that must not be stored or logged. */
  secrets: JsonValue;
}

export interface OpenOptions {
  user: CredentialUser;
  /**
   * Uses that are already in the audit log; a new use is added, so a node that opens the credential
   * for each item writes one entry.
   */
  seen: Set<string>;
  /**
   * Stored data that a service refused: it is renewed unless another process has already done so.
   */
  refused?: JsonObject | undefined;
}

/**
 * Opens stored credentials and attaches them to requests: for executions, triggers, node methods
 * and credential tests.
 */
export class CredentialOpener {
  readonly #options: CredentialOpenerOptions;

  constructor(options: CredentialOpenerOptions) {
    this.#options = options;
  }

  /** Throws the errors of `ExecuteContext.credentials` and `user.find`. */
  async open(subject: SealedSubject, options: OpenOptions, signal: AbortSignal): Promise<OpenedCredential> {
    const { types, vault, ports } = this.#options;
    const type = types.find(subject.type);
    const renewal = boundRenewal(guardedRenewal(type), ports, options.refused);
    const stored = await openFresh(vault, subject, { store: this.#storeOf(subject, options), renewal, signal });
    const data = type?.complete?.(stored) ?? stored;
    return { data, stored, secrets: secretValues(data, redactionRulesOf(type)) };
  }

  /** Throws if the credential was deleted, or its user may no longer use it; both are audited. */
  assertUsable<Found extends Omit<FoundCredential, 'sealed'>>(
    { id, type }: SealedSubject,
    credential: Found | undefined,
    seen: Set<string>,
  ): asserts credential is Found {
    if (credential?.type !== type) throw new CredentialNotFoundError(id, type);
    this.#recordUse(id, credential, seen);
    if (!credential.usable) throw new CredentialNotAccessibleError(id);
  }

  /**
   * Authenticates HTTP requests with the credential, to its allowed hosts only; `renew` replaces it
   * after a 401. Throws the errors of `credentialAuthentication`.
   */
  authentication(
    typeName: string,
    { data }: OpenedCredential,
    renew: NonNullable<HttpAuthentication['renewed']>,
  ): HttpAuthentication {
    const type = this.#options.types.find(typeName);
    const authentication = credentialAuthentication(typeName, type, data, this.portsFor(typeName, data));
    const limited = { ...authentication, ...this.hostChecks(typeName, data), ...ownApiOf(type) };
    return renewedAfterRefusal(limited, type, renew);
  }

  /**
   * Checks that requests with the credential go to its allowed hosts; empty if it may go to any
   * host.
   */
  hostChecks(typeName: string, data: JsonObject): HostChecks {
    const allowed = allowedHostsOf(this.#options.types.find(typeName), data);
    if (allowed === 'any') return {};
    const isUnverified = ownProperty(data, 'allowUnauthorizedCerts') === true; // set by its owner
    const assertAllowed = ({ tls, ...destination }: HttpDestination) =>
      assertHostAllowed(allowed, typeName, isUnverified || !tls ? destination : { ...destination, tls });
    return { assertAllowed, ...(isRestrictedByOwner(data) && { assertRedirectAllowed: assertAllowed }) };
  }

  /** Ports for code that receives this data; see `guardedPorts`. */
  portsFor(typeName: string, data: JsonObject): CredentialPorts {
    const { types, ports } = this.#options;
    const type = types.find(typeName);
    return type ? guardedPorts(ports, type, data) : ports;
  }

  #storeOf({ id, type }: SealedSubject, { user, seen }: OpenOptions): RenewalStore {
    const { credentialUses } = this.#options;
    return {
      read: async () => {
        const credential = await user.find(id);
        this.assertUsable({ id, type }, credential, seen);
        return credential.sealed;
      },
      claimRenewal: (record, leaseMs) => {
        const claim = () => credentialUses.claimRenewal(id, record, leaseMs);
        return user.whenAvailable ? user.whenAvailable(claim) : claim();
      },
      storeRenewed: (renewalId, record) => credentialUses.storeRenewed(id, renewalId, record),
      releaseRenewal: (renewalId) => credentialUses.releaseRenewal(id, renewalId),
    };
  }

  #recordUse(id: string, credential: Omit<FoundCredential, 'sealed'>, seen: Set<string>): void {
    if (!credential.usedBy) return;
    const entry = useEntry(id, credential, credential.usedBy);
    const use = `${id} ${entry.outcome}`;
    if (!seen.has(use)) this.#options.audit.record(entry);
    seen.add(use);
  }
}

/** No credential has this id and type. */
class CredentialNotFoundError extends AppError {
  constructor(id: string, type: string) {
    super({ code: 'CREDENTIAL_NOT_FOUND', message: `there is no credential ${id.slice(0, 64)} of type "${type}"` });
  }
}

/** The project of the caller neither owns the credential nor has it shared. */
class CredentialNotAccessibleError extends AppError {
  constructor(id: string) {
    const message = `credential ${id.slice(0, 64)} may not be used here: the workflow's project neither owns it nor has it shared`;
    super({ code: 'CREDENTIAL_NOT_ACCESSIBLE', message });
  }
}
