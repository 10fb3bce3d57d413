import { ForbiddenError, NotFoundError, type ProjectRole, randomId } from '@sluice/domain';
import type { Kysely } from 'kysely';
import type { Access } from '../access.ts';
import type { Tables } from '../tables/tables.ts';

export interface Project {
  id: string;
  name: string;
  type: 'personal' | 'team';
}

export class ProjectRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Throws `NotFoundError`, or `ForbiddenError` for one outside `access`. */
  async get(id: string, access: Access): Promise<Project> {
    const project = await this.#db
      .selectFrom('projects')
      .select(['id', 'name', 'type'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (!project) throw new NotFoundError(`project ${id} does not exist`);
    if (!access.includes(id)) throw new ForbiddenError(`project ${id} is not accessible with the role that this needs`);
    return project;
  }

  async createTeam(name: string): Promise<Project> {
    const project: Project = { id: randomId(), name, type: 'team' };
    await this.#db.insertInto('projects').values(project).execute();
    return project;
  }

  /** Adds the member, or changes its role. */
  async setMember(projectId: string, userId: string, role: ProjectRole): Promise<void> {
    await this.#db
      .insertInto('project_members')
      .values({ project_id: projectId, user_id: userId, role })
      .onConflict((conflict) => conflict.columns(['project_id', 'user_id']).doUpdateSet({ role }))
      .execute();
  }
}
