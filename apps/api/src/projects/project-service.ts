import type { AddMemberBody, CreateProjectBody, ListProjectsQuery, UpdateProjectBody } from '@sluice/contract';
import {
  noteForAudit,
  type Project,
  type ProjectMember,
  type ProjectRepository,
  type User,
  type UserRepository,
} from '@sluice/db';
import { ForbiddenError, invalidRequest, NotFoundError, type ProjectRole, shownId } from '@sluice/domain';
import type { AccessSignals } from '../auth/access-changes.ts';
import { assertInstanceAdmin, type Caller, isInstanceAdmin } from '../auth/caller.ts';
import { type Page, pageByCreation } from '../paging/page.ts';

interface ProjectServiceOptions {
  projects: ProjectRepository;
  users: UserRepository;
  accessSignals: AccessSignals;
}

/**
 * Projects and their members. Members may read, `project:admin` may change, and owners and admins
 * of the instance may create projects.
 */
export class ProjectService {
  readonly #options: ProjectServiceOptions;

  constructor(options: ProjectServiceOptions) {
    this.#options = options;
  }

  /** The projects that the caller can see. */
  async list(query: ListProjectsQuery, caller: Caller): Promise<Page<Project>> {
    const access = caller.access['project:viewer'];
    return pageByCreation('projects', query, (page) => this.#options.projects.list(access, page));
  }

  async get(id: string, caller: Caller): Promise<Project> {
    return this.#options.projects.get(id, caller.access['project:viewer']);
  }

  /** The caller becomes its first `project:admin`. */
  async create(body: CreateProjectBody, caller: Caller): Promise<Project> {
    assertInstanceAdmin(caller);
    noteConcurrency(body);
    const project = await this.#options.projects.createTeam(body, caller.userId);
    this.#options.accessSignals.changed([caller.userId]);
    return project;
  }

  async update(id: string, changes: UpdateProjectBody, caller: Caller): Promise<Project> {
    const { weight, concurrency } = changes; // these protect other projects from this one
    if ((weight !== undefined || concurrency !== undefined) && !isInstanceAdmin(caller.role))
      throw new ForbiddenError('changing the weight or the concurrency requires the role owner or admin');
    noteConcurrency(changes);
    return this.#options.projects.update(id, caller.access['project:admin'], changes);
  }

  /** Without `transferTo`, the project must be empty. */
  async delete(id: string, transferTo: string | undefined, caller: Caller): Promise<void> {
    const { projects, accessSignals } = this.#options;
    const access = caller.access['project:admin'];
    const members = await projects.listMembers(id, access);
    if (transferTo !== undefined) {
      await projects.get(transferTo, caller.access['project:editor']);
      noteForAudit({ details: { transferTo } });
    }
    await projects.delete(id, access, transferTo);
    accessSignals.changed(members.map(({ userId }) => userId));
  }

  async listMembers(id: string, caller: Caller): Promise<ProjectMember[]> {
    return this.#options.projects.listMembers(id, caller.access['project:viewer']);
  }

  /** Throws `NotFoundError` also for a user that does not exist. */
  async addMember(id: string, body: AddMemberBody, caller: Caller): Promise<ProjectMember> {
    const { projects, accessSignals } = this.#options;
    const access = caller.access['project:admin'];
    await projects.get(id, access); // before anything about users is disclosed
    const user = await this.#userOf(body);
    noteForAudit({ details: { userId: user.id, role: body.role } });
    const member = await projects.addMember(id, access, user.id, body.role);
    accessSignals.changed([user.id]);
    return member;
  }

  async changeMember(id: string, userId: string, role: ProjectRole, caller: Caller): Promise<ProjectMember> {
    noteForAudit({ details: { userId: shownId(userId), role } });
    const member = await this.#options.projects.changeMember(id, caller.access['project:admin'], userId, role);
    this.#options.accessSignals.changed([userId]);
    return member;
  }

  /** Members may also leave. */
  async removeMember(id: string, userId: string, caller: Caller): Promise<void> {
    const needed = userId === caller.userId ? 'project:viewer' : 'project:admin';
    noteForAudit({ details: { userId: shownId(userId) } });
    await this.#options.projects.removeMember(id, caller.access[needed], userId);
    this.#options.accessSignals.changed([userId]);
  }

  async #userOf({ userId, email }: AddMemberBody): Promise<User> {
    const { users } = this.#options;
    if ((userId === undefined) === (email === undefined)) {
      throw invalidRequest('/userId', 'give either userId or email');
    }
    const user = userId === undefined ? await users.findByEmail(email ?? '') : await users.get(userId);
    if (!user) throw new NotFoundError(`there is no user with the email ${email}`);
    return user;
  }
}

function noteConcurrency({ concurrency }: Pick<UpdateProjectBody, 'concurrency'>): void {
  if (concurrency !== undefined) noteForAudit({ details: { concurrency } });
}
