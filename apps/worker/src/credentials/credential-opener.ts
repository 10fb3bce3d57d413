import type { CredentialUseRepository } from '@sluice/db';
import { AppError, type ExecutionId, type JsonObject, type JsonValue } from '@sluice/domain';
import type { AuthenticationPorts, CredentialType } from '@sluice/node-sdk';
import { openFresh, type Renewal, type RenewalStore, type SealedSubject, secretValues, type Vault } from '@sluice/vault';

export interface CredentialOpenerOptions {
  credentials: CredentialUseRepository;
  vault: Vault;
  types: { find(name: string): CredentialType | undefined };
  ports: AuthenticationPorts;
}

/** A credential, decrypted. */
export interface OpenedCredential {
  data: JsonObject;
  /** What of it must not be stored or logged. */
  secrets: JsonValue;
}

/** Opens credentials for executions, at the moment in which a node asks. */
export class CredentialOpener {
  readonly #options: CredentialOpenerOptions;

  constructor(options: CredentialOpenerOptions) {
    this.#options = options;
  }

  /** Checks the use against the stored execution's project; throws what `ExecuteContext.credentials` says. */
  async open(subject: SealedSubject, executionId: ExecutionId, signal: AbortSignal): Promise<OpenedCredential> {
    const { types, vault, ports } = this.#options;
    const type = types.find(subject.type);
    const tokens = type?.renewal;
    const renewal: Renewal | undefined = tokens && {
      isDue: (data) => tokens.isDue(data, ports.now()),
      renew: (data, renewing) => tokens.renew(data, ports, renewing),
    };
    const data = await openFresh(vault, subject, { store: this.#storeOf(subject, executionId), renewal, signal });
    const knownFields = new Set(Object.keys((type?.schema['properties'] ?? {}) as JsonObject));
    return { data, secrets: secretValues(data, { knownFields, secretFields: new Set(type?.secretFields) }) };
  }

  #storeOf({ id, type }: SealedSubject, executionId: ExecutionId): RenewalStore {
    const { credentials } = this.#options;
    return {
      async read() {
        const found = await credentials.find(id, executionId);
        if (found?.type !== type) throw notFound(id, type);
        if (!found.usable) throw notAccessible(id);
        return found.sealed;
      },
      claimRenewal: (record, leaseMs) => credentials.claimRenewal(id, record, leaseMs),
      storeRenewed: (renewalId, record) => credentials.storeRenewed(id, renewalId, record),
      releaseRenewal: (renewalId) => credentials.releaseRenewal(id, renewalId),
    };
  }
}

function notFound(id: string, type: string): AppError {
  return new AppError({ code: 'CREDENTIAL_NOT_FOUND', message: `there is no credential ${id.slice(0, 64)} of type "${type}"` });
}

function notAccessible(id: string): AppError {
  const message = `credential ${id} may not be used here: the workflow's project neither owns it nor has it shared`;
  return new AppError({ code: 'CREDENTIAL_NOT_ACCESSIBLE', message });
}
