import type { Command } from 'commander';

/** Adds the options that every command for a server has. */
export function serverCommand(command: Command): Command {
  return command
    .option('--profile <name>', 'server of this profile; default: SLUICE_URL, the default profile, or this machine')
    .option('--json', 'print JSON', false);
}
