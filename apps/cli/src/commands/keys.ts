import { Command } from 'commander';
import type { CreateKeyOptions } from '../administration/create-key.ts';
import type { ListKeysOptions } from '../administration/list-keys.ts';
import type { Terminal } from '../terminal.ts';
import { rotateMasterCommand } from './rotate-master.ts';

export function keysCommand(terminal: Terminal): Command {
  const create = new Command('create')
    .description('create an API key for the owner or for another user')
    .option('--user <email>', 'email or ID of the user; default: the owner')
    .option('--scopes <scopes>', 'scopes separated by commas; default: every scope of the user’s role')
    .option('--label <label>', 'name of the key', 'created by the command line')
    .option('--expires-at <time>', 'ISO 8601 date or date-time, or Unix seconds; default: never')
    .option('--json', 'print JSON', false)
    .action(async (options: CreateKeyOptions) =>
      (await import('../administration/create-key.ts')).createKey(options, terminal),
    );
  const list = new Command('list')
    .description('print the active API keys of a user, newest first')
    .option('--user <email>', 'email or ID of the user; default: the owner')
    .option('--json', 'print JSON', false)
    .action(async (options: ListKeysOptions) => (await import('../administration/list-keys.ts')).listKeys(options, terminal));
  const revoke = new Command('revoke')
    .description('revoke an API key and every key created with it, permanently')
    .argument('<id>', 'ID of the key (see `keys list`)')
    .option('--user <email>', 'email or ID of the key’s user; default: the owner')
    .option('--json', 'print JSON', false)
    .action(async (id: string, options: ListKeysOptions) =>
      (await import('../administration/revoke-key.ts')).revokeKey(id, options, terminal),
    );
  return new Command('keys')
    .description('manage API keys and the master key')
    .addCommand(create)
    .addCommand(list)
    .addCommand(revoke)
    .addCommand(rotateMasterCommand(terminal));
}
