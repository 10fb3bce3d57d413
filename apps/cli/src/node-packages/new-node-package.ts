import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isPackageName } from '@sluice/node-packages';
import { printable, type Terminal } from '../terminal.ts';
import { packageTemplate } from './package-template.ts';

/** Writes the files of a new package. Throws an `Error` where the name is none for npm, or the folder is there already. */
export async function newNodePackage(name: string, parent: string, terminal: Terminal): Promise<void> {
  if (!isPackageName(name))
    throw new Error(`${name} is no name of an npm package: lower case, such as sluice-nodes-acme or @acme/nodes`);
  const folder = join(parent, name);
  await mkdir(dirname(folder), { recursive: true });
  await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? new Error(`${folder} is there already`) : error;
  });
  for (const [file, text] of packageTemplate(name)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  terminal.line(printable(`${folder}: a node type, a credential type and a test`));
  terminal.line('  npm test                runs the test; nothing has to be installed');
  terminal.line(printable(`  sluice nodes check ${folder}`));
}
