import { changeMemberBody } from '@sluice/contract';
import { noteForAudit, ProjectRepository } from '@sluice/db';
import type { Terminal } from '../terminal.ts';
import { administer } from './administer.ts';
import { checkInput } from './check-input.ts';
import { findUser } from './find-user.ts';
import { printResult } from './print-result.ts';

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
