import { Command } from 'commander';
import type { CreateKeyOptions } from '../administration/create-key.ts';
import type { Terminal } from '../terminal.ts';
import { rotateMasterCommand } from './rotate-master.ts';

export function keysCommand(terminal: Terminal): Command {
  const create = new Command('create')
    .description('create an API key for a user')
    .requiredOption('--user <email>', 'email or id of the user')
    .option('--scopes <scopes>', 'separated by commas; default: every scope')
    .option('--label <label>', 'name of the key', 'created by the command line')
    .option('--expires-at <instant>', 'ISO 8601 instant or Unix seconds; default: never')
    .option('--json', 'print JSON', false)
    .action(async (options: CreateKeyOptions) => {
      const { createKey } = await import('../administration/create-key.ts');
      await createKey(options, terminal);
    });
  return new Command('keys').description('administer keys').addCommand(create).addCommand(rotateMasterCommand(terminal));
}
