import { Command } from 'commander';
import type { AddMemberOptions } from '../administration/projects.ts';
import type { Terminal } from '../terminal.ts';
import { jsonCommand } from './base-commands.ts';

const load = () => import('../administration/projects.ts');

export function projectsCommand(terminal: Terminal): Command {
  const create = jsonCommand('create', 'create a team project')
    .requiredOption('--name <name>', 'name of the project, 1 to 128 characters')
    .action(async (options: { name: string; json: boolean }) => (await load()).createProject(options, terminal));
  const addMember = jsonCommand('add-member', 'add a user to a project, or change the role of a member')
    .requiredOption('--project <id>', 'ID of the project')
    .requiredOption('--email <email>', 'email or ID of the user')
    .requiredOption('--role <role>', 'project:viewer, project:editor, or project:admin')
    .action(async (options: AddMemberOptions) => (await load()).addMember(options, terminal));
  return new Command('projects').description('manage projects').addCommand(create).addCommand(addMember);
}
