import { resolve } from 'node:path';
import { checkNodePackage as loadForCheck } from '@sluice/node-packages';
import { printable, type Terminal } from '../terminal.ts';
import { watchUncaughtErrors } from './load-packages.ts';

/** Prints the types in a package. Throws an `Error` that lists its problems. */
export async function checkNodePackage(folder: string, { json }: { json: boolean }, terminal: Terminal): Promise<void> {
  const loaded = await loadForCheck(resolve(folder), watchUncaughtErrors(terminal));
  const { name, nodeTypes, credentialTypes, suppliersOnly } = loaded;
  for (const type of suppliersOnly)
    terminal.warn(
      printable(`${type} only supplies data to other nodes, but they cannot use it: supplyData is not available to packages`),
    );
  if (json) {
    terminal.line(JSON.stringify({ name, nodeTypes, credentialTypes }, undefined, 2));
    return;
  }
  terminal.line(printable(`${name} is a valid package`));
  for (const type of nodeTypes) terminal.line(printable(`  node        ${type}`));
  for (const type of credentialTypes) terminal.line(printable(`  credential  ${type}`));
}
