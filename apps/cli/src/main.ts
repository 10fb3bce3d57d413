#!/usr/bin/env node
import { exitCodes } from './exit-codes.ts';
import { packageCode } from './node-packages/package-code.ts';
import { runProgram } from './run-program.ts';
import { processTerminal } from './terminal.ts';

// A closed reader, as with `| head`, or a closed terminal ends the command, as SIGPIPE and SIGHUP end other
// programs.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
    process.kill(process.pid, 'SIGHUP');
  });

const exitCode = await runProgram(process.argv.slice(2), processTerminal);
if (exitCode !== exitCodes.ok) process.exitCode = exitCode;
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
