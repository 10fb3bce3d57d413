import { createInterface } from 'node:readline/promises';

/** Asks a yes-or-no question. Throws an `Error` if standard input is not a terminal. */
export async function confirmed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new Error('this needs a confirmation: repeat it with --yes');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(?:es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
