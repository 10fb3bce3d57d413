import { readFile } from 'node:fs/promises';

/** The pid that a server has written to its pid file; `undefined` when there is no such file. */
export async function readPidFile(file: string): Promise<number | undefined> {
  try {
    const pid = Number.parseInt(await readFile(file, 'utf8'), 10);
    return pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}
