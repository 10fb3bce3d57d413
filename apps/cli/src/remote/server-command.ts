import type { Command } from 'commander';
import { ExitError, exitCodes } from '../exit-codes.ts';

/**
 * Adds the options that all commands for a server share. Arguments are IDs; an empty one is
 * refused.
 */
export function serverCommand(command: Command): Command {
  return command
    .option(
      '--profile <name>',
      'connect to the server of this profile; default: SLUICE_URL, the default profile, or this machine',
    )
    .option('--json', 'print JSON', false)
    .hook('preAction', ({ args }) => {
      // The address of an empty ID is that of the list.
      if (args.includes('')) throw new ExitError(exitCodes.usage, 'an ID must not be empty');
    });
}
