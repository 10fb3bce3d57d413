import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ExitError, exitCodes } from '../exit-codes.ts';
import { readInput, unreadable } from '../read-input.ts';
import { printable } from '../terminal.ts';

/** A file that is read on demand. */
export interface WorkflowFile {
  path: string;
  read(): Promise<string>;
}

/**
 * Finds the files at `paths`. A folder stands for its `.json` files at any depth, sorted; `-`
 * stands for standard input. Throws if a path does not exist, or if a folder has no such file.
 */
export async function findWorkflowFiles(paths: readonly string[]): Promise<WorkflowFile[]> {
  const files = await Promise.all(paths.map(filesAt));
  return files.flat();
}

async function filesAt(path: string): Promise<WorkflowFile[]> {
  if (path === '-') return [{ path: 'standard input', read: () => readInput('-') }];
  if (!(await isFolder(path))) return [fileAt(path)];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.json'));
  if (names.length === 0) throw new ExitError(exitCodes.usage, `${printable(path)} contains no .json files`);
  return names
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map(fileAt);
}

/** Throws an error that names the path if it cannot be read. */
async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    throw unreadable(path, error);
  }
}

function fileAt(path: string): WorkflowFile {
  return { path, read: () => readFile(path, 'utf8') };
}
