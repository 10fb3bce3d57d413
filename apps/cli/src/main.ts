#!/usr/bin/env node
import { constants } from 'node:os';
import { exitCodes } from './exit-codes.ts';
import { packageCode } from './node-packages/package-code.ts';
import { runProgram } from './run-program.ts';
import { processTerminal } from './terminal.ts';

// Ends the command when the reader of its output is gone (`| head`, a closed terminal), as SIGPIPE
// and SIGHUP end other programs.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
    process.kill(process.pid, 'SIGHUP');
  });

// The first process of a container ignores signals without a handler.
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.on(name, () => {
    const isHandled = process.listenerCount(name) > 1; // by a command that has more to do
    if (!isHandled) process.exit(128 + constants.signals[name]);
  });

const exitCode = await runProgram(process.argv.slice(2), processTerminal);
if (exitCode !== exitCodes.ok) process.exitCode = exitCode;
// Exits as soon as the output is written, because timers and exit handlers of packages must not
// delay a finished command.
if (packageCode.hasRun) {
  await Promise.all([written(process.stdout), written(process.stderr)]);
  process.removeAllListeners('exit').exit();
}

/** Resolves when the reader has everything or is gone. An earlier exit would drop output. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()));
}
