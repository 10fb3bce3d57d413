import type { CreateUserBody, ListUsersQuery, UpdateUserBody } from '@sluice/contract';
import { generateApiKey, noteForAudit, type ProjectRepository, type User, type UserRepository } from '@sluice/db';
import { ForbiddenError, type InstanceRole } from '@sluice/domain';
import type { AccessSignals } from '../auth/access-changes.ts';
import { assertInstanceAdmin, type Caller, parentKeyOf } from '../auth/caller.ts';
import { type Page, pageByCreation } from '../paging/page.ts';

interface UserServiceOptions {
  users: UserRepository;
  projects: ProjectRepository;
  accessSignals: AccessSignals;
}

/** Users of the instance, for its owners and admins. Only owners may change owners. */
export class UserService {
  readonly #options: UserServiceOptions;

  constructor(options: UserServiceOptions) {
    this.#options = options;
  }

  async list(query: ListUsersQuery, caller: Caller): Promise<Page<User>> {
    assertInstanceAdmin(caller);
    return pageByCreation('users', query, (page) => this.#options.users.list(page));
  }

  /** The caller, or any user for admins. */
  async get(id: string, caller: Caller): Promise<User> {
    if (id !== caller.userId) assertInstanceAdmin(caller);
    return this.#options.users.get(id);
  }

  async create(body: CreateUserBody, caller: Caller): Promise<{ user: User; rawKey: string | undefined }> {
    const { email, role, createApiKey } = body;
    assertInstanceAdmin(caller);
    assertMayHandle(role, caller);
    noteForAudit({ objectName: email, details: { role, createApiKey } });
    const rawKey = createApiKey ? generateApiKey() : undefined;
    return { user: await this.#options.users.create({ email, role, rawKey, parentKeyId: parentKeyOf(caller) }), rawKey };
  }

  async update(id: string, change: UpdateUserBody, caller: Caller): Promise<User> {
    assertInstanceAdmin(caller);
    if (change.role) assertMayHandle(change.role, caller);
    const updated = await this.#options.users.update(id, (user) => {
      assertMayHandle(user.role, caller);
      noteForAudit({ objectName: user.email, details: change.role ? { role: change.role, before: user.role } : null });
      return change;
    });
    this.#options.accessSignals.changed([id]);
    return updated;
  }

  /** Also revokes the user's keys. Without `transferTo`, the personal project must be empty. */
  async delete(id: string, transferTo: string | undefined, caller: Caller): Promise<void> {
    assertInstanceAdmin(caller);
    if (transferTo !== undefined) await this.#options.projects.get(transferTo, caller.access['project:editor']);
    const check = (user: User) => {
      assertMayHandle(user.role, caller);
      noteForAudit({ objectName: user.email, details: transferTo === undefined ? null : { transferTo } });
    };
    await this.#options.users.delete(id, check, transferTo);
    this.#options.accessSignals.changed([id]);
  }
}

function assertMayHandle(role: InstanceRole, caller: Caller): void {
  if (role === 'owner' && caller.role !== 'owner')
    throw new ForbiddenError('only owners can create, change, and delete owners');
}
