import { errorMessage } from '@sluice/domain';
import { logModulesTo } from '@sluice/n8n-compat';
import { findPackageFolders, realPath } from './find-package-folders.ts';
import { Loading } from './loading.ts';
import { defaultTimeoutMs, type LoadNodePackagesOptions, type NodePackages, noNodePackages } from './node-packages.ts';
import { tryPackages } from './trial/try-packages.ts';

/**
 * Loads a folder's packages in sequence, by name, so that all processes get the same result. Each
 * package is tried in a separate process first; then it runs in this process, with all of its
 * rights. Never rejects: a problem of a file omits its type, and a problem of a package or of the
 * folder is a failure that omits the package.
 */
export async function loadNodePackages(options: LoadNodePackagesOptions): Promise<NodePackages> {
  const { folder, timeoutMs = defaultTimeoutMs, prefer = [], logger } = options;
  if (folder === null) return noNodePackages;
  if (logger) logModulesTo(logger);
  const loading = new Loading(options);
  options.uncaughtErrors.knowAll(await realPath(folder));
  try {
    const packageFolders = await findPackageFolders(folder);
    const packages = await loading.admitted(packageFolders);
    const tried = await tryPackages({ packages, root: folder, timeoutMs, prefer });
    for (const one of packageFolders) await loading.add(one, tried.get(one.path));
  } catch (error) {
    loading.failures.push({ package: folder, reason: `the folder cannot be read: ${errorMessage(error)}` });
  }
  return loading;
}

/** Logs one line for each loaded package and a warning for each failure. */
export function logNodePackages(
  { packages, failures }: NodePackages,
  logger: { info(fields: object, message: string): void; warn(fields: object, message: string): void },
): void {
  for (const { name, version, nodeTypes, skipped } of packages) {
    logger.info({ package: name, version, nodeTypes }, 'node package loaded');
    for (const reason of skipped) logger.warn({ package: name, reason }, 'type of a node package not loaded');
  }
  for (const failure of failures) logger.warn(failure, 'node package not loaded');
}
