import type { Config } from '@sluice/config';
import type { Finding } from '../checks/finding.ts';
import { loadPackages } from '../node-packages/load-packages.ts';
import type { Terminal } from '../terminal.ts';

/** Node packages that are not loaded; runs their code, as the service does. */
export async function packageChecks(config: Config, terminal: Terminal): Promise<Finding[]> {
  if (config.nodePackages.folder === null) return [];
  const { failures } = await loadPackages(config, terminal);
  return failures.map(({ package: name, reason }) => ({
    level: 'warning',
    check: 'package-not-loaded',
    message: `${name} is not loaded: ${reason}`,
    fix: `run \`sluice nodes check <folder of ${name}>\`, or leave it out with SLUICE_NODES_ALLOW`,
  }));
}
