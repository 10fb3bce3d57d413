import { createInterface } from 'node:readline';
import { ExitError, exitCodes } from './exit-codes.ts';

interface Streams {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream;
}

const ofProcess: Streams = { input: process.stdin, output: process.stdout };

/**
 * Asks a yes-or-no question; the end of the input is a no. Throws an `Error` if the input is not a
 * terminal, and one with the exit code of an interrupt at Ctrl-C, which reaches the terminal as a key.
 */
export async function confirmed(question: string, { input, output } = ofProcess): Promise<boolean> {
  if (!input.isTTY) throw new Error('this needs a confirmation: repeat it with --yes');
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const terminal = createInterface({ input, output });
  terminal.once('close', () => resolve(''));
  terminal.once('SIGINT', () => {
    output.write('\n');
    reject(new ExitError(exitCodes.interrupted, 'interrupted'));
  });
  terminal.question(`${question} [y/N] `, resolve);
  try {
    return /^y(?:es)?$/i.test((await promise).trim());
  } finally {
    terminal.close();
  }
}
