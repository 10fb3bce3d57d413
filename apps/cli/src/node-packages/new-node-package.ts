import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isPackageName } from '@sluice/node-packages';
import { printable, type Terminal } from '../terminal.ts';
import { packageTemplate } from './package-template.ts';

/**
 * Writes the files of a new package. Throws an `Error` if npm does not allow the name or if the
 * folder already exists.
 */
export async function newNodePackage(name: string, parent: string, terminal: Terminal): Promise<void> {
  if (!isPackageName(name))
    throw new Error(`${name} is not a valid npm package name: use lower case, such as sluice-nodes-acme or @acme/nodes`);
  const folder = join(parent, name);
  await mkdir(dirname(folder), { recursive: true });
  await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? new Error(`${folder} already exists`) : error;
  });
  for (const [file, text] of packageTemplate(name)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  terminal.line(printable(`created ${folder} with a node type, a credential type, and a test; next steps:`));
  terminal.line('  npm test  (in the folder; no installation needed)');
  terminal.line(printable(`  sluice nodes check ${folder}`));
}
