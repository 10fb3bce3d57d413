import { ConflictError, ForbiddenError, NotFoundError, type ProjectRole, randomId, shownId } from '@sluice/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import { Access, isAccessible } from '../access.ts';
import { type OwnLimits, putProjectLimit } from '../limits/put-limit.ts';
import { recountLimited } from '../limits/recount-limited.ts';
import { microsecondsOf, type NewestFirst, newestFirst } from '../newest-first.ts';
import { inTransaction } from '../statements/in-transaction.ts';
import { touched } from '../statements/touched.ts';
import type { Tables } from '../tables/tables.ts';
import { emptyProject } from './project-content.ts';

export interface Project extends OwnLimits {
  id: string;
  name: string;
  type: 'personal' | 'team';
  /** Turns, relative to other projects, while more executions are queued than can start. */
  weight: number;
  createdAt: Date;
  updatedAt: Date;
  /** Microseconds since the epoch, for cursors. */
  createdAtUs: string;
}

/** Absent: unchanged. */
type ProjectChange = Partial<Pick<Project, 'name' | 'weight' | 'concurrency'>>;

/** Absent: weight 1 and no limit. */
type NewTeam = Pick<Project, 'name'> & Partial<Pick<Project, 'weight' | 'concurrency'>>;

export interface ProjectMember {
  projectId: string;
  userId: string;
  email: string;
  role: ProjectRole;
}

/** Projects and their members. Every read takes the caller's `Access`. */
export class ProjectRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Throws `NotFoundError`, or `ForbiddenError` for a project outside `access`. */
  async get(id: string, access: Access): Promise<Project> {
    return getProject(this.#db, id, access);
  }

  async list(access: Access, page: NewestFirst): Promise<Project[]> {
    return newestFirst(selectProjects(this.#db), 'p', page).where(isAccessible(access, 'p.id')).execute();
  }

  /**
   * @param adminId the user who becomes its first `project:admin`; absent: the project has no
   * members.
   */
  async createTeam({ name, weight, concurrency = null }: NewTeam, adminId?: string): Promise<Project> {
    const project = { id: randomId(), name, type: 'team' as const, owner_id: null, ...(weight !== undefined && { weight }) };
    return inTransaction(this.#db, async (tx) => {
      await tx.insertInto('projects').values(project).execute();
      if (concurrency !== null) await putProjectLimit(tx, project.id, { concurrency });
      if (adminId !== undefined) await putMember(tx, project.id, adminId, 'project:admin');
      return selectProjects(tx).where('p.id', '=', project.id).executeTakeFirstOrThrow();
    });
  }

  /** Throws the errors of `get`. */
  async update(id: string, access: Access, { name, weight, concurrency }: ProjectChange): Promise<Project> {
    const updated = await inTransaction(this.#db, async (tx) => {
      const project = await getProject(tx, id, access);
      const changed = { name: name ?? project.name, weight: weight ?? project.weight, updated_at: touched };
      await tx.updateTable('projects').set(changed).where('id', '=', id).execute();
      if (concurrency !== undefined) await putProjectLimit(tx, id, { concurrency });
      return getProject(tx, id, access);
    });
    if (concurrency) await recountLimited(this.#db);
    return updated;
  }

  /**
   * Deletes a team project. Its content moves to `transferTo`; without a target it must be empty.
   * Throws the errors of `get`, and `ConflictError`.
   */
  async delete(id: string, access: Access, transferTo?: string): Promise<Project> {
    return inTransaction(this.#db, async (tx) => {
      const project = await getProject(tx, id, access);
      if (project.type === 'personal') throw new ConflictError('a personal project is deleted only with its user');
      await emptyProject(tx, id, transferTo);
      await tx.deleteFrom('projects').where('id', '=', id).execute();
      return project;
    });
  }

  /** Sorted by email. Throws the errors of `get`. */
  async listMembers(id: string, access: Access): Promise<ProjectMember[]> {
    await this.get(id, access);
    return selectMembers(this.#db).where('m.project_id', '=', id).orderBy('u.email').execute();
  }

  /** Throws the errors of `get`, and `ConflictError` if the user is already a member. */
  async addMember(id: string, access: Access, userId: string, role: ProjectRole): Promise<ProjectMember> {
    return this.#changeMembers(id, access, userId, async (tx, member) => {
      if (member) throw new ConflictError('the user is already a member');
      await putMember(tx, id, userId, role);
      return selectMember(tx, id, userId);
    });
  }

  /**
   * Throws the errors of `get`, `NotFoundError` if the user is not a member, and `ConflictError`
   * for the owner of a personal project, or if no admin would remain.
   */
  async changeMember(id: string, access: Access, userId: string, role: ProjectRole): Promise<ProjectMember> {
    return this.#changeMembers(id, access, userId, async (tx, member) => {
      if (!member) throw notMember(userId);
      await putMember(tx, id, userId, role);
      return selectMember(tx, id, userId);
    });
  }

  /** Throws the errors of `changeMember`. */
  async removeMember(id: string, access: Access, userId: string): Promise<ProjectMember> {
    return this.#changeMembers(id, access, userId, async (tx, member) => {
      if (!member) throw notMember(userId);
      await tx.deleteFrom('project_members').where('project_id', '=', id).where('user_id', '=', userId).execute();
      return member;
    });
  }

  /**
   * For operators: adds the member or changes its role, without an access check. Throws the errors
   * of `changeMember`.
   */
  async setMember(id: string, userId: string, role: ProjectRole): Promise<ProjectMember> {
    return this.#changeMembers(id, new Access('all'), userId, async (tx) => {
      await putMember(tx, id, userId, role);
      return selectMember(tx, id, userId);
    });
  }

  /** `change` receives the membership, if any, under the project's lock. */
  async #changeMembers(
    id: string,
    access: Access,
    userId: string,
    change: (tx: Transaction<Tables>, member: ProjectMember | undefined) => Promise<ProjectMember>,
  ): Promise<ProjectMember> {
    return inTransaction(this.#db, async (tx) => {
      await tx.selectFrom('projects').select('id').where('id', '=', id).forUpdate().execute();
      await getProject(tx, id, access);
      const personal = await tx
        .selectFrom('projects')
        .select('id')
        .where('id', '=', id)
        .where('owner_id', '=', userId)
        .execute();
      if (personal.length > 0) throw new ConflictError('the owner of a personal project remains its admin');
      const member = await selectMembers(tx).where('m.project_id', '=', id).where('m.user_id', '=', userId).executeTakeFirst();
      const changed = await change(tx, member);
      if (member?.role === 'project:admin') await assertAdminLeft(tx, id);
      return changed;
    });
  }
}

function selectProjects(db: Kysely<Tables>) {
  return db
    .selectFrom('projects as p')
    .select(['p.id', 'p.name', 'p.type', 'p.weight', 'p.created_at as createdAt', 'p.updated_at as updatedAt'])
    .select(microsecondsOf('p.created_at').as('createdAtUs'))
    .select(sql<number | null>`(SELECT l.max_running FROM execution_limits l WHERE l.project_id = p.id)`.as('concurrency'));
}

function selectMembers(db: Kysely<Tables>) {
  return db
    .selectFrom('project_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['m.project_id as projectId', 'm.user_id as userId', 'u.email', 'm.role']);
}

function selectMember(tx: Transaction<Tables>, projectId: string, userId: string): Promise<ProjectMember> {
  return selectMembers(tx)
    .where('m.project_id', '=', projectId)
    .where('m.user_id', '=', userId)
    .executeTakeFirstOrThrow(() => new NotFoundError(`user ${userId} does not exist`));
}

async function getProject(db: Kysely<Tables>, id: string, access: Access): Promise<Project> {
  const project = await selectProjects(db).where('p.id', '=', id).executeTakeFirst();
  if (!project) throw new NotFoundError(`project ${shownId(id)} does not exist`);
  if (!access.includes(id)) throw new ForbiddenError(`project ${id} is not accessible with the role that this needs`);
  return project;
}

async function putMember(db: Kysely<Tables>, projectId: string, userId: string, role: ProjectRole): Promise<void> {
  await db
    .insertInto('project_members')
    .values({ project_id: projectId, user_id: userId, role })
    .onConflict((conflict) => conflict.columns(['project_id', 'user_id']).doUpdateSet({ role }))
    .execute();
}

async function assertAdminLeft(tx: Transaction<Tables>, projectId: string): Promise<void> {
  const admins = tx.selectFrom('project_members').select('user_id').where('project_id', '=', projectId);
  const admin = await admins.where('role', '=', 'project:admin').limit(1).executeTakeFirst();
  if (!admin) throw new ConflictError('the project needs an admin: make another member project:admin first');
}

function notMember(userId: string): NotFoundError {
  return new NotFoundError(`user ${shownId(userId)} is not a member of the project`);
}
