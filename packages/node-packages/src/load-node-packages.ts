import { errorMessage } from '@sluice/domain';
import { logModulesTo } from '@sluice/n8n-compat';
import { findPackageFolders, realPath } from './find-package-folders.ts';
import { Loading } from './loading.ts';
import { defaultTimeoutMs, type LoadNodePackagesOptions, type NodePackages, noNodePackages } from './node-packages.ts';
import { tryPackages } from './trial/try-packages.ts';

/**
 * Loads the packages of a folder one after the other, by name, so that all processes come to the same answer. Each is tried in a process of its own before;
 * what passes runs in this process, with all of its rights. Never rejects: what is wrong with a package, or with the folder, is a failure, and leaves
 * out that package alone.
 */
export async function loadNodePackages(options: LoadNodePackagesOptions): Promise<NodePackages> {
  const { folder, timeoutMs = defaultTimeoutMs, logger } = options;
  if (folder === null) return noNodePackages;
  if (logger) logModulesTo(logger);
  const loading = new Loading(options);
  options.strays.knowAll(await realPath(folder));
  try {
    const found = await findPackageFolders(folder);
    const packages = await loading.admitted(found);
    const tried = await tryPackages({ packages, root: folder, timeoutMs });
    for (const one of found) await loading.add(one, tried.get(one.path));
  } catch (error) {
    loading.failures.push({ package: folder, reason: `the folder cannot be read: ${errorMessage(error)}` });
  }
  return loading;
}

/** One line for each package that was loaded, and a warning for each that was not. */
export function logNodePackages(
  { packages, failures }: NodePackages,
  logger: { info(fields: object, message: string): void; warn(fields: object, message: string): void },
): void {
  for (const { name, version, nodeTypes } of packages)
    logger.info({ package: name, version, nodeTypes }, 'node package loaded');
  for (const failure of failures) logger.warn(failure, 'node package not loaded');
}
