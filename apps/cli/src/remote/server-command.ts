import type { Command } from 'commander';

/** Adds the options that all commands for a server share. */
export function serverCommand(command: Command): Command {
  return command
    .option(
      '--profile <name>',
      'connect to the server of this profile; default: SLUICE_URL, the default profile, or this machine',
    )
    .option('--json', 'print JSON', false);
}
