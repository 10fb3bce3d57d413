import { Command } from 'commander';
import type { AddMemberOptions } from '../administration/projects.ts';
import type { Terminal } from '../terminal.ts';

const load = () => import('../administration/projects.ts');

export function projectsCommand(terminal: Terminal): Command {
  const create = new Command('create')
    .description('create a team project')
    .requiredOption('--name <name>', 'name of the project, 1 to 128 characters')
    .option('--json', 'print JSON', false)
    .action(async (options: { name: string; json: boolean }) => (await load()).createProject(options, terminal));
  const addMember = new Command('add-member')
    .description('add a user to a project, or change the role of a member')
    .requiredOption('--project <id>', 'ID of the project')
    .requiredOption('--email <email>', 'email or ID of the user')
    .requiredOption('--role <role>', 'project:viewer, project:editor, or project:admin')
    .option('--json', 'print JSON', false)
    .action(async (options: AddMemberOptions) => (await load()).addMember(options, terminal));
  return new Command('projects').description('manage projects').addCommand(create).addCommand(addMember);
}
