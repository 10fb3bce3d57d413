import { readEnv, toConfig } from '@sluice/config';
import type { NodePackages } from '@sluice/node-packages';
import type { Terminal } from '../terminal.ts';
import { loadPackages } from './load-packages.ts';

/** Loads an installed package as the service does. Throws an `Error` if it is rejected. */
export async function checkInstalled(name: string, terminal: Terminal): Promise<NodePackages['packages'][number]> {
  const { nodePackages } = toConfig(readEnv());
  const { packages, failures } = await loadPackages({ nodePackages: { ...nodePackages, allow: [name] } }, terminal);
  const loaded = packages.find((it) => it.name === name);
  if (loaded) return loaded;
  throw new Error(failures.find((failure) => failure.package === name)?.reason ?? 'it has no node types');
}
