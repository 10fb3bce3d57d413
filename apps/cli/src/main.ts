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
// Exits at once, so that neither resources of packages, such as timers, nor their exit handlers
// delay a finished command.
if (packageCode.hasRun) process.removeAllListeners('exit').exit();
