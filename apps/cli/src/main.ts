#!/usr/bin/env node
import { errorMessage } from '@sluice/domain';
import { packageCode } from './node-packages/package-code.ts';
import { buildProgram } from './program.ts';
import { processTerminal } from './terminal.ts';

try {
  await buildProgram(processTerminal).parseAsync();
} catch (error) {
  processTerminal.warn(`sluice: ${errorMessage(error)}`);
  process.exitCode = 1;
}
// What packages have begun at their load, such as a timer, does not hold up a command that is done, nor does what they would do at its end.
if (packageCode.hasRun) process.removeAllListeners('exit').exit();
