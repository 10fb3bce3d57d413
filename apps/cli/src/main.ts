#!/usr/bin/env node
import { errorMessage } from '@sluice/domain';
import { type Command, CommanderError } from 'commander';
import { exitCodeOf } from './exit-codes.ts';
import { packageCode } from './node-packages/package-code.ts';
import { buildProgram } from './program.ts';
import { processTerminal } from './terminal.ts';

try {
  await throwingErrors(buildProgram(processTerminal)).parseAsync();
} catch (error) {
  // Commander has printed its own message.
  if (!(error instanceof CommanderError)) processTerminal.warn(`sluice: ${errorMessage(error)}`);
  process.exitCode = exitCodeOf(error);
}
// Exits at once, so that neither resources of packages, such as timers, nor their exit handlers
// delay a finished command.
if (packageCode.hasRun) process.removeAllListeners('exit').exit();

/** Commander would exit by itself, with 1 for every mistake. */
function throwingErrors(command: Command): Command {
  for (const subcommand of command.commands) throwingErrors(subcommand);
  return command.exitOverride();
}
