import {
  ConflictError,
  type InstanceRole,
  NotFoundError,
  type ProjectRole,
  projectRoles,
  randomId,
  roleAllows,
  roleScopes,
  shownId,
} from '@sluice/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import { Access } from '../access.ts';
import { isUniqueViolation } from '../connection/sql-errors.ts';
import { microsecondsOf, type NewestFirst, newestFirst } from '../newest-first.ts';
import { emptyProject } from '../projects/project-content.ts';
import { inTransaction } from '../statements/in-transaction.ts';
import { touched } from '../statements/touched.ts';
import type { Tables } from '../tables/tables.ts';
import { ApiKeyRepository } from './api-key-repository.ts';

export interface User {
  id: string;
  /** Lower case. */
  email: string;
  role: InstanceRole;
  personalProjectId: string;
  createdAt: Date;
  updatedAt: Date;
  /** Microseconds since the epoch, for cursors. */
  createdAtUs: string;
}

export interface NewUser {
  email: string;
  role: InstanceRole;
  /** A first key, in plain text, that gets every scope of the role; absent: no key is created. */
  rawKey?: string | undefined;
  /** Id of the key that creates the first key; absent: created by an operator, or in a session. */
  parentKeyId?: string | undefined;
}

export interface UserChange {
  email?: string | undefined;
  role?: InstanceRole | undefined;
}

/** Serializes changes that could leave the instance without an owner. */
const ownersLock = 7_204_512;

/**
 * The users of the instance. Only the CLI and admins of the instance call it, so no `Access`
 * applies.
 */
export class UserRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /**
   * Creates the user and a personal project with the user as `project:admin`. Throws
   * `ConflictError` for an email in use.
   */
  async create({ email, role, rawKey, parentKeyId }: NewUser): Promise<User> {
    const user = { id: randomId(), email: email.toLowerCase(), role };
    const project = { id: randomId(), name: user.email, type: 'personal' as const, owner_id: user.id };
    return inTransaction(this.#db, async (tx) => {
      await uniqueEmail(user.email, () => tx.insertInto('users').values(user).execute());
      await tx.insertInto('projects').values(project).execute();
      const membership = { project_id: project.id, user_id: user.id, role: 'project:admin' as const };
      await tx.insertInto('project_members').values(membership).execute();
      if (rawKey !== undefined) {
        const key = { userId: user.id, label: 'first key', rawKey, scopes: roleScopes[role], expiresAt: null };
        await new ApiKeyRepository(tx).create({ ...key, parentId: parentKeyId });
      }
      return getUser(tx, user.id);
    });
  }

  /** Throws `NotFoundError`. */
  async get(id: string): Promise<User> {
    return getUser(this.#db, id);
  }

  async findByEmail(email: string): Promise<User | undefined> {
    return selectUsers(this.#db).where('u.email', '=', email.toLowerCase()).executeTakeFirst();
  }

  async list(page: NewestFirst): Promise<User[]> {
    return newestFirst(selectUsers(this.#db), 'u', page).execute();
  }

  /**
   * Applies the changes that `revise` returns; it receives the locked user and throws to refuse.
   * Throws `NotFoundError`, and `ConflictError` for an email in use or if no owner would remain.
   */
  async update(id: string, revise: (user: User) => UserChange): Promise<User> {
    return inTransaction(this.#db, async (tx) => {
      const user = await lock(tx, id);
      const { email = user.email, role = user.role } = revise(user);
      const changed = { email: email.toLowerCase(), role, updated_at: touched };
      await uniqueEmail(email, () => tx.updateTable('users').set(changed).where('id', '=', id).execute());
      if (changed.email !== user.email) {
        const renamed = { name: changed.email, updated_at: touched };
        await tx.updateTable('projects').set(renamed).where('id', '=', user.personalProjectId).execute();
      }
      if (user.role === 'owner') await assertOwnerLeft(tx);
      return getUser(tx, id);
    });
  }

  /**
   * Deletes the user and the personal project, and revokes the user's keys permanently. The
   * project's content moves to `transferTo`; without a target, throws `ConflictError` if the
   * project is not empty. `check` throws to refuse. Throws `NotFoundError`.
   */
  async delete(id: string, check: (user: User) => void, transferTo?: string): Promise<User> {
    return inTransaction(this.#db, async (tx) => {
      const user = await lock(tx, id);
      check(user);
      // A key or membership that is being created for the user is visible now, or fails because the
      // user is deleted.
      await tx.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute();
      await emptyProject(tx, user.personalProjectId, transferTo);
      await new ApiKeyRepository(tx).revokeAllOf(id);
      await tx.deleteFrom('projects').where('id', '=', user.personalProjectId).execute();
      await tx.deleteFrom('users').where('id', '=', id).execute();
      if (user.role === 'owner') await assertOwnerLeft(tx);
      return user;
    });
  }

  /**
   * The projects in which the user has at least this role; for operations that continue without a
   * key. Empty if the user does not exist.
   */
  async accessOf(id: string, needed: ProjectRole): Promise<Access> {
    const user = await this.#db.selectFrom('users').select('role').where('id', '=', id).executeTakeFirst();
    if (user && user.role !== 'member') return new Access('all');
    const roles = projectRoles.filter((role) => roleAllows(role, needed));
    const memberships = this.#db.selectFrom('project_members').select('project_id').where('user_id', '=', id);
    const rows = await memberships.where('role', 'in', roles).execute();
    return new Access(rows.map((row) => row.project_id));
  }

  /** The owner of the instance: the first user created. */
  async findOwner(): Promise<User | undefined> {
    return selectUsers(this.#db).where('u.role', '=', 'owner').orderBy('u.created_at').orderBy('u.id').executeTakeFirst();
  }
}

function selectUsers(db: Kysely<Tables>) {
  return db
    .selectFrom('users as u')
    .innerJoin('projects as p', 'p.owner_id', 'u.id')
    .select([
      'u.id',
      'u.email',
      'u.role',
      'p.id as personalProjectId',
      'u.created_at as createdAt',
      'u.updated_at as updatedAt',
    ])
    .select(microsecondsOf('u.created_at').as('createdAtUs'));
}

async function getUser(db: Kysely<Tables>, id: string): Promise<User> {
  const user = await selectUsers(db).where('u.id', '=', id).executeTakeFirst();
  if (!user) throw new NotFoundError(`user ${shownId(id)} does not exist`);
  return user;
}

async function lock(tx: Transaction<Tables>, id: string): Promise<User> {
  await sql`SELECT pg_advisory_xact_lock(${ownersLock})`.execute(tx);
  return getUser(tx, id);
}

async function assertOwnerLeft(tx: Transaction<Tables>): Promise<void> {
  const owner = await tx.selectFrom('users').select('id').where('role', '=', 'owner').limit(1).executeTakeFirst();
  if (!owner) throw new ConflictError('the instance needs an owner: make another user owner first');
}

async function uniqueEmail(email: string, write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (isUniqueViolation(error, 'users_email_key')) throw new ConflictError(`a user with the email ${email} already exists`);
    throw error;
  }
}
