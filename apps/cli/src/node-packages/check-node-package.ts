import { resolve } from 'node:path';
import { checkNodePackage as loadForCheck } from '@sluice/node-packages';
import { printable, type Terminal } from '../terminal.ts';
import { watchUncaughtErrors } from './load-packages.ts';

/** Prints the content of a package. Throws an `Error` with its problems. */
export async function checkNodePackage(folder: string, { json }: { json: boolean }, terminal: Terminal): Promise<void> {
  const { name, nodeTypes, credentialTypes } = await loadForCheck(resolve(folder), watchUncaughtErrors(terminal));
  if (json) {
    terminal.line(JSON.stringify({ name, nodeTypes, credentialTypes }, undefined, 2));
    return;
  }
  terminal.line(printable(`${name} is a valid package`));
  for (const type of nodeTypes) terminal.line(printable(`  node        ${type}`));
  for (const type of credentialTypes) terminal.line(printable(`  credential  ${type}`));
}
