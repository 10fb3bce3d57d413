import type { Config } from '@sluice/config';
import type { Finding } from '../checks/finding.ts';
import { loadPackages } from '../node-packages/load-packages.ts';
import type { Terminal } from '../terminal.ts';

/** Reports node packages and types that cannot be loaded. Runs their code, as the service does. */
export async function packageChecks(config: Config, terminal: Terminal): Promise<Finding[]> {
  if (config.nodePackages.folder === null) return [];
  const { packages, failures } = await loadPackages(config, terminal);
  const failed = failures.map(
    ({ package: name, reason }): Finding => ({
      level: 'warning',
      check: 'package-not-loaded',
      message: `${name} is not loaded: ${reason}`,
      fix: `run \`sluice nodes check <folder of ${name}>\`, or exclude it with SLUICE_NODES_ALLOW`,
    }),
  );
  const skipped = packages.flatMap(({ name, skipped: reasons }) =>
    reasons.map(
      (reason): Finding => ({
        level: 'warning',
        check: 'type-not-loaded',
        message: `${name} is loaded without one of its types: ${reason}`,
        fix: `update ${name}; if another package has a type of the same name, remove one of the packages, or prefer ${name} with SLUICE_NODES_PREFER`,
      }),
    ),
  );
  return [...failed, ...skipped];
}
