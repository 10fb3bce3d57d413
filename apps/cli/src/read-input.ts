import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { ExitError, exitCodes } from './exit-codes.ts';
import { printable } from './terminal.ts';

/** The text of a file; `-` stands for standard input. Throws `unreadable`. */
export function readInput(path: string): Promise<string> {
  if (path === '-') return text(process.stdin);
  return readFile(path, 'utf8').catch((error: unknown) => {
    throw unreadable(path, error);
  });
}

/** An error that names a path that cannot be read. */
export function unreadable(path: string, error: unknown): ExitError {
  const { code } = error as NodeJS.ErrnoException;
  const reason = code === 'ENOENT' || code === 'ENOTDIR' ? 'does not exist' : `cannot be read (${code})`;
  return new ExitError(exitCodes.usage, `${path === '' ? 'a file without a name' : printable(path)} ${reason}`);
}
