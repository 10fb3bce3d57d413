import { Command } from 'commander';
import type { AddMemberOptions } from '../administration/add-member.ts';
import type { Terminal } from '../terminal.ts';

export function projectsCommand(terminal: Terminal): Command {
  const create = new Command('create')
    .description('create a team project')
    .requiredOption('--name <name>', 'name of the project, 1 to 128 characters')
    .option('--json', 'print JSON', false)
    .action(async (options: { name: string; json: boolean }) =>
      (await import('../administration/create-project.ts')).createProject(options, terminal),
    );
  const addMember = new Command('add-member')
    .description('add a user to a project, or change the role of a member')
    .requiredOption('--project <id>', 'ID of the project')
    .requiredOption('--email <email>', 'email or ID of the user')
    .requiredOption('--role <role>', 'project:viewer, project:editor, or project:admin')
    .option('--json', 'print JSON', false)
    .action(async (options: AddMemberOptions) =>
      (await import('../administration/add-member.ts')).addMember(options, terminal),
    );
  return new Command('projects').description('manage projects').addCommand(create).addCommand(addMember);
}
