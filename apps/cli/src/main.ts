#!/usr/bin/env node
import { buildProgram } from './program.ts';
import { processTerminal } from './terminal.ts';

try {
  await buildProgram(processTerminal).parseAsync();
} catch (error) {
  processTerminal.warn(`sluice: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
