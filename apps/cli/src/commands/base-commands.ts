import { Command } from 'commander';
import { ExitError, exitCodes } from '../exit-codes.ts';

/** A command that prints its result as text or JSON. */
export function jsonCommand(name: string, description: string): Command {
  return new Command(name).description(description).option('--json', 'print JSON', false);
}

/** A command for a server. Its arguments are IDs; an empty one is refused. */
export function serverCommand(name: string, description: string): Command {
  return jsonCommand(name, description)
    .option(
      '--profile <name>',
      'connect to the server of this profile; default: SLUICE_URL, the default profile, or this machine',
    )
    .hook('preAction', ({ args }) => {
      // The address of an empty ID is that of the list.
      if (args.includes('')) throw new ExitError(exitCodes.usage, 'an ID must not be empty');
    });
}
