import { changeMemberBody, createProjectBody } from '@sluice/contract';
import { noteForAudit, type Project, ProjectRepository } from '@sluice/db';
import type { Terminal } from '../terminal.ts';
import { administer } from './administer.ts';
import { checkInput } from './check-input.ts';
import { findUser } from './find-user.ts';
import { printResult } from './print.ts';

/** Creates a team project without members and prints it. */
export async function createProject({ json, ...options }: { name: string; json: boolean }, terminal: Terminal): Promise<void> {
  const { name } = checkInput(createProjectBody, options);
  const project = await administer('project.create', ({ kysely }) => new ProjectRepository(kysely).createTeam({ name }));
  printResult(terminal, { json, document: toProjectDocument(project), lines: [['project', `${project.id}  ${project.name}`]] });
}

export interface AddMemberOptions {
  project: string;
  /** Email or ID. */
  email: string;
  role: string;
  json: boolean;
}

/** Adds a user to a project, or changes the role of a member, and prints the membership. */
export async function addMember(options: AddMemberOptions, terminal: Terminal): Promise<void> {
  const { role } = checkInput(changeMemberBody, { role: options.role });
  const member = await administer('project.addMember', async (db) => {
    const user = await findUser(db, options.email);
    noteForAudit({ objectId: options.project, projectId: options.project, details: { userId: user.id, role } });
    return new ProjectRepository(db.kysely).setMember(options.project, user.id, role);
  });
  const line = `${member.email}  ${member.role}`;
  printResult(terminal, { json: options.json, document: member, lines: [['member', line]] });
}

/** A project as `--json` prints it: as in the API, without the caller's role. */
export function toProjectDocument({ createdAtUs: _, ...project }: Project): Omit<Project, 'createdAtUs'> {
  return project;
}
