import { Command } from 'commander';
import type { CreateKeyOptions, ListKeysOptions } from '../administration/keys.ts';
import type { Terminal } from '../terminal.ts';
import { jsonCommand } from './base-commands.ts';

const load = () => import('../administration/keys.ts');

export function keysCommand(terminal: Terminal): Command {
  const create = jsonCommand('create', 'create an API key for the owner or for another user')
    .option('--user <email>', 'email or ID of the user; default: the owner')
    .option('--scopes <scopes>', 'scopes separated by commas; default: every scope of the user’s role')
    .option('--label <label>', 'name of the key', 'created by the command line')
    .option('--expires-at <time>', 'ISO 8601 date or date-time, or Unix seconds; default: never')
    .action(async (options: CreateKeyOptions) => (await load()).createKey(options, terminal));
  const list = jsonCommand('list', 'print the active API keys of a user, newest first')
    .option('--user <email>', 'email or ID of the user; default: the owner')
    .action(async (options: ListKeysOptions) => (await load()).listKeys(options, terminal));
  const revoke = jsonCommand('revoke', 'revoke an API key and every key created with it, permanently')
    .argument('<id>', 'ID of the key (see `keys list`)')
    .option('--user <email>', 'email or ID of the key’s user; default: the owner')
    .action(async (id: string, options: ListKeysOptions) => (await load()).revokeKey(id, options, terminal));
  return new Command('keys')
    .description('manage API keys and the master key')
    .addCommand(create)
    .addCommand(list)
    .addCommand(revoke)
    .addCommand(rotateMasterCommand(terminal));
}

function rotateMasterCommand(terminal: Terminal): Command {
  return jsonCommand(
    'rotate-master',
    'rewrap every credential with the first master key in ENCRYPTION_KEY (or master.key); safe to interrupt and repeat',
  ).action(async (options: { json: boolean }) =>
    (await import('../administration/rotate-master.ts')).rotateMaster(options, terminal),
  );
}
