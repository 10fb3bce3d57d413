import { Command } from 'commander';
import type { CreateUserOptions, LinkUserOptions } from '../administration/users.ts';
import type { Terminal } from '../terminal.ts';
import { jsonCommand } from './base-commands.ts';

const load = () => import('../administration/users.ts');

export function usersCommand(terminal: Terminal): Command {
  const create = jsonCommand('create', 'create a user with a personal project and an API key that has every scope of the role')
    .requiredOption('--email <email>', 'email address that no other user has')
    .option('--role <role>', 'owner, admin, or member', 'member')
    .action(async (options: CreateUserOptions) => (await load()).createUser(options, terminal));
  const list = jsonCommand('list', 'print all users, newest first').action(async (options: { json: boolean }) =>
    (await load()).listUsers(options, terminal),
  );
  const link = jsonCommand('link', 'print a one-time link that signs a user in to the dashboard')
    .option('--user <email>', 'email or ID of the user; default: the owner')
    .action(async (options: LinkUserOptions) => (await load()).linkUser(options, terminal));
  return new Command('users').description('manage users').addCommand(create).addCommand(list).addCommand(link);
}
