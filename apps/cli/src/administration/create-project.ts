import { createProjectBody } from '@sluice/contract';
import { ProjectRepository } from '@sluice/db';
import type { Terminal } from '../terminal.ts';
import { administer } from './administer.ts';
import { checkInput } from './check-input.ts';
import { toProjectDocument } from './documents.ts';
import { printResult } from './print-result.ts';

/** Creates a team project without members and prints it. */
export async function createProject({ json, ...options }: { name: string; json: boolean }, terminal: Terminal): Promise<void> {
  const { name } = checkInput(createProjectBody, options);
  const project = await administer('project.create', ({ kysely }) => new ProjectRepository(kysely).createTeam({ name }));
  printResult(terminal, { json, document: toProjectDocument(project), lines: [['project', `${project.id}  ${project.name}`]] });
}
