import { createInterface } from 'node:readline';
import { ExitError, exitCodes } from './exit-codes.ts';

interface Streams {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream;
}

const processStreams: Streams = { input: process.stdin, output: process.stdout };

/**
 * Asks a yes-or-no question; the end of the input counts as no. Throws an `Error` if the input is
 * not a terminal. At Ctrl-C, which arrives as a key instead of a signal, the error has the exit
 * code of an interrupt.
 */
export async function confirmed(question: string, { input, output } = processStreams): Promise<boolean> {
  if (!input.isTTY) throw new Error('cannot ask for confirmation without a terminal: add --yes');
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
