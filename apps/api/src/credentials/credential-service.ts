import type { CreateCredentialBody, GetCredentialQuery, ListCredentialsQuery, UpdateCredentialBody } from '@sluice/contract';
import { carrySecrets } from '@sluice/credentials';
import {
  Access,
  type Credential,
  type CredentialHead,
  type CredentialRepository,
  noteForAudit,
  type ProjectRepository,
  type WorkflowWithCredential,
} from '@sluice/db';
import {
  ConflictError,
  invalidRequest,
  isAppError,
  type JsonObject,
  mapSliced,
  randomId,
  shownId,
  ValidationError,
} from '@sluice/domain';
import { type CredentialType, withoutInstant } from '@sluice/node-sdk';
import { hasRedacted, redact, restoreRedacted, type Vault } from '@sluice/vault';
import type { Caller } from '../auth/caller.ts';
import { assertEnterprise, type License } from '../auth/license.ts';
import { toCredentialFilter } from './credential-list-filter.ts';
import { assertMayShareGlobally, scopesFor } from './credential-rights.ts';
import type { CredentialTypes } from './credential-types.ts';
import type { CredentialExtras, CredentialWithExtras } from './credential-view.ts';
import type { TokenRevoker } from './token-revoker.ts';
import { commonStart, uniqueName } from './unique-name.ts';

interface CredentialServiceOptions {
  credentials: CredentialRepository;
  projects: ProjectRepository;
  types: CredentialTypes;
  vault: Vault;
  license: License;
  revoker: Pick<TokenRevoker, 'afterDeletion'>;
}

/** Maximum number of workflows named by a refused deletion. */
const maxNamed = 20;

/** Limits the data in a list, which has no pages. */
const maxListBytes = 32 * 1024 * 1024;

export class CredentialService {
  readonly #options: CredentialServiceOptions;

  constructor(options: CredentialServiceOptions) {
    this.#options = options;
  }

  async list(query: ListCredentialsQuery, caller: Caller): Promise<CredentialWithExtras[]> {
    const { credentials } = this.#options;
    const { includeData, includeGlobal, onlySharedWithMe } = query;
    const sharedWith = onlySharedWithMe ? new Access(caller.projectRoles.keys()) : undefined;
    const filter = { ...toCredentialFilter(query), includeGlobal, sharedWith };
    const access = caller.access['project:viewer'];
    if (includeData && (await credentials.sealedBytes(filter, access)) > maxListBytes)
      throw invalidRequest('/includeData', 'the data exceeds 32 MiB: use a filter, or read each credential');
    const heads = includeData ? await credentials.listSealed(filter, access) : await credentials.list(filter, access);
    return mapSliced<CredentialHead, CredentialWithExtras>(heads, (credential) => ({
      credential,
      ...this.#extras(credential, query, caller),
    }));
  }

  async get(id: string, query: GetCredentialQuery, caller: Caller): Promise<CredentialWithExtras> {
    const credential = await this.#options.credentials.get(id, caller.access['project:viewer']);
    const isAdmin = caller.access['project:admin'].includes(credential.projectId);
    const sharedWithIds = isAdmin ? await this.#options.credentials.listShares(id) : undefined;
    return { credential, ...(sharedWithIds && { sharedWithIds }), ...this.#extras(credential, query, caller) };
  }

  async create(body: CreateCredentialBody, caller: Caller): Promise<CredentialWithExtras> {
    const { credentials, projects, types, vault, license } = this.#options;
    const { name, data, projectId = caller.personalProjectId, isGlobal, isResolvable, concurrency, ratePerSecond } = body;
    const type = types.require(body.type, '/type');
    this.#assertValid(type, restoreRedacted(data, {}));
    if (isGlobal) assertMayShareGlobally(caller);
    if (isResolvable) assertEnterprise(license, 'resolvable credentials');
    await projects.get(projectId, caller.access['project:editor']);
    const subject = { id: randomId(), type: type.name };
    const sealed = vault.seal(subject, data);
    const rights = { projectId, isGlobal, isResolvable };
    const credential = await credentials.create({ ...subject, name, ...rights, concurrency, ratePerSecond, sealed });
    return { credential, scopes: scopesFor(credential, caller, license) };
  }

  async update(id: string, body: UpdateCredentialBody, caller: Caller): Promise<CredentialWithExtras> {
    const { credentials, vault, license } = this.#options;
    const credential = await credentials.update(id, caller.access['project:editor'], (current) => {
      if (current.isManaged) throw new ValidationError('managed credentials cannot be updated', '');
      const { name, isGlobal, concurrency, ratePerSecond } = { ...current, ...body };
      if (isGlobal !== current.isGlobal) assertMayShareGlobally(caller);
      return {
        name,
        isGlobal,
        concurrency,
        ratePerSecond,
        ...(body.data && { sealed: vault.seal(current, this.#revised(current, body.data)) }),
      };
    });
    return { credential, scopes: scopesFor(credential, caller, license) };
  }

  /**
   * Also revokes its tokens at the service, if possible, without waiting for it.
   *
   * @param ifUnused refuse while a workflow names the credential: throws `ConflictError`
   * `CREDENTIAL_IN_USE`.
   */
  async delete(id: string, { ifUnused }: { ifUnused: boolean }, caller: Caller): Promise<void> {
    const members = caller.access['project:viewer'];
    const { credentials, revoker } = this.#options;
    const deleted = await credentials.delete(id, { access: caller.access['project:editor'], members }, async (uses) => {
      if (ifUnused) assertUnused(id, await uses(), members);
    });
    revoker.afterDeletion(deleted);
  }

  /** Shares with exactly these projects. */
  async share(id: string, projectIds: readonly string[], caller: Caller): Promise<void> {
    assertEnterprise(this.#options.license, 'shared credentials');
    const { 'project:admin': access, 'project:viewer': members } = caller.access;
    noteForAudit({ details: { shareWithIds: projectIds.map(shownId) } });
    await this.#options.credentials.replaceShares(id, projectIds, { access, members });
  }

  /** Requires `project:admin` in the source project and `project:editor` in the destination. */
  async transfer(id: string, projectId: string, caller: Caller): Promise<void> {
    const { 'project:admin': access, 'project:editor': destinations } = caller.access;
    noteForAudit({ details: { to: shownId(projectId) } });
    await this.#options.credentials.transfer(id, projectId, { access, destinations });
  }

  /** `base`, with a number appended if the caller can see a credential with this name. */
  async newName(base: string, caller: Caller): Promise<string> {
    const names = await this.#options.credentials.listNames(commonStart(base), caller.access['project:viewer']);
    return uniqueName(base, new Set(names));
  }

  #extras(
    credential: CredentialHead | Credential,
    { includeScopes, includeData }: GetCredentialQuery,
    caller: Caller,
  ): CredentialExtras {
    return {
      ...(includeScopes && { scopes: scopesFor(credential, caller, this.#options.license) }),
      ...(includeData && 'sealed' in credential && { data: this.#redacted(credential) }),
    };
  }

  #redacted(credential: Credential): JsonObject | 'unreadable' {
    const { types, vault } = this.#options;
    try {
      const data = withoutInstant(vault.open(credential, credential.sealed));
      return redact(data, types.rulesOf(credential.type));
    } catch (error) {
      if (isAppError(error) && error.code === 'CREDENTIAL_UNREADABLE') return 'unreadable';
      throw error;
    }
  }

  /** Opens the stored data only if part of it is kept: an unreadable credential can be replaced. */
  #revised(current: Credential, update: JsonObject): JsonObject {
    const { types, vault } = this.#options;
    const type = types.require(current.type, '/type');
    const stored = () => vault.open(current, current.sealed);
    const data = hasRedacted(update)
      ? carrySecrets(type, { stored: stored(), sent: update, partial: false, path: '/data' })
      : update;
    this.#assertValid(type, data);
    return data;
  }

  #assertValid(type: CredentialType, data: JsonObject): void {
    const issues = this.#options.types.issuesOf(type, data, '/data');
    if (issues.length > 0) throw new ValidationError('the request is not valid', issues);
  }
}

/** Names the workflows that the caller can see, and counts the others. */
function assertUnused(id: string, uses: readonly WorkflowWithCredential[], members: Access): void {
  if (uses.length === 0) return;
  const visible = uses.filter(({ projectId }) => members.includes(projectId)).slice(0, maxNamed);
  const names = visible.map(({ name }) => JSON.stringify(name));
  const others = uses.length - visible.length;
  if (others > 0) names.push(`${others} other${others === 1 ? '' : 's'}`);
  throw new ConflictError(
    `credential ${id} is used by ${names.join(', ')}`,
    'CREDENTIAL_IN_USE',
    visible.map((use) => ({ path: `/workflows/${use.id}`, message: use.name })),
  );
}
