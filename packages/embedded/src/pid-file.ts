import { readFile } from 'node:fs/promises';

/** The pid in a server's pid file; `undefined` if the file does not exist. */
export async function readPidFile(file: string): Promise<number | undefined> {
  try {
    const pid = Number.parseInt(await readFile(file, 'utf8'), 10);
    return pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}
