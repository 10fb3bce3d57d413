import { errorMessage } from '@sluice/domain';
import { type Command, CommanderError } from 'commander';
import { exitCodeOf, exitCodes } from './exit-codes.ts';
import { buildProgram } from './program.ts';
import { printable, type Terminal } from './terminal.ts';

/** Runs a command, prints its error if it fails, and resolves to its exit code. */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await prepare(buildProgram(terminal), terminal).parseAsync(args, { from: 'user' });
    return exitCodes.ok;
  } catch (error) {
    // Commander has printed its own errors.
    if (!(error instanceof CommanderError))
      terminal.warn(`sluice: ${errorMessage(error).split('\n').map(printable).join('\n')}`);
    return exitCodeOf(error);
  }
}

/** By default, Commander writes to the process's streams, and exits with 1 on every error. */
function prepare(command: Command, terminal: Terminal): Command {
  for (const subcommand of command.commands) prepare(subcommand, terminal);
  return command.exitOverride().configureOutput({
    writeOut: (text) => terminal.line(text.replace(/\n$/, '')),
    writeErr: (text) => terminal.warn(text.replace(/\n$/, '')),
  });
}
