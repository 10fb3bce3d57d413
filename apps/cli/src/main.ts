#!/usr/bin/env node
import { errorMessage } from '@sluice/domain';
import { type Command, CommanderError } from 'commander';
import { exitCodeOf } from './exit-codes.ts';
import { packageCode } from './node-packages/package-code.ts';
import { buildProgram } from './program.ts';
import { processTerminal } from './terminal.ts';

// A closed reader, as with `| head`, ends the command, as SIGPIPE does for other programs.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.kill(process.pid, 'SIGTERM');
});

try {
  await throwingErrors(buildProgram(processTerminal)).parseAsync();
} catch (error) {
  // Commander has printed its own message.
  if (!(error instanceof CommanderError)) processTerminal.warn(`sluice: ${errorMessage(error)}`);
  process.exitCode = exitCodeOf(error);
}
// Exits once the output is written, so that neither resources of packages, such as timers, nor their
// exit handlers delay a finished command.
if (packageCode.hasRun) {
  await Promise.all([written(process.stdout), written(process.stderr)]);
  process.removeAllListeners('exit').exit();
}

/** Resolves when the reader has taken everything, or is gone: an exit drops what a pipe still waits for. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()));
}

/** Commander would exit by itself, with 1 for every mistake. */
function throwingErrors(command: Command): Command {
  for (const subcommand of command.commands) throwingErrors(subcommand);
  return command.exitOverride();
}
