import { readEnv, toConfig } from '@sluice/config';
import { printable, type Terminal } from '../terminal.ts';
import { loadPackages } from './load-packages.ts';

/** Prints the packages that processes with these settings load. Needs no database. */
export async function listNodePackages({ json }: { json: boolean }, terminal: Terminal): Promise<void> {
  const config = toConfig(readEnv());
  const { packages, failures } = await loadPackages(config, terminal);
  if (json) return terminal.line(JSON.stringify({ packages, failures }, undefined, 2));
  if (config.nodePackages.folder === null) return terminal.line('SLUICE_NODES_DIR is not set: no node packages are loaded');
  for (const { name, version, nodeTypes, credentialTypes, skipped } of packages) {
    terminal.line(printable(`${name} ${version}`));
    for (const type of nodeTypes) terminal.line(printable(`  node        ${type}`));
    for (const type of credentialTypes) terminal.line(printable(`  credential  ${type}`));
    for (const reason of skipped) terminal.warn(printable(`${name}: not loaded: ${reason}`));
  }
  for (const { package: name, reason } of failures) terminal.warn(printable(`${name} is not loaded: ${reason}`));
}
