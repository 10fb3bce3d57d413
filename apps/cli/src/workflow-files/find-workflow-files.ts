import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** A file whose text is read when its turn comes. */
export interface WorkflowFile {
  path: string;
  read(): Promise<string>;
}

/** The files that paths name, a folder's `.json` files to the bottom, sorted; `-` is standard input. Throws for a path that is not there. */
export async function findWorkflowFiles(paths: readonly string[]): Promise<WorkflowFile[]> {
  const found = await Promise.all(paths.map(filesAt));
  return found.flat();
}

async function filesAt(path: string): Promise<WorkflowFile[]> {
  if (path === '-') return [{ path: 'standard input', read: () => text(process.stdin) }];
  if (!(await stat(path)).isDirectory()) return [fileAt(path)];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.json'));
  return names
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map(fileAt);
}

function fileAt(path: string): WorkflowFile {
  return { path, read: () => readFile(path, 'utf8') };
}
