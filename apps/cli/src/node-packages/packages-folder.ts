import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readEnv, toConfig } from '@sluice/config';
import { isJsonObject, type JsonValue } from '@sluice/domain';
import { isNamed, readManifest } from '@sluice/node-packages';

/** The folder of node packages, and the packages that the operator installed there. */
export interface PackagesFolder {
  path: string;
  /** Name → specifier in `package.json`: an exact version, unless the operator ran npm directly. */
  installed: ReadonlyMap<string, string>;
  /** Names of the installed packages, without the libraries that were installed with them. */
  nodePackages(): Promise<string[]>;
  /** Whether `SLUICE_NODES_ALLOW` lets processes load a package. */
  allows(name: string): boolean;
}

/** Opens or creates the folder `SLUICE_NODES_DIR`. Throws an `Error` if it is not set. */
export async function openPackagesFolder(): Promise<PackagesFolder> {
  const { folder, allow } = toConfig(readEnv()).nodePackages;
  if (folder === null) throw new Error('SLUICE_NODES_DIR is not set: set it to the folder of node packages');
  await mkdir(folder, { recursive: true });
  const manifest = join(folder, 'package.json');
  // Otherwise npm would use the `package.json` of a parent folder.
  await writeFile(manifest, `${JSON.stringify({ private: true }, undefined, 2)}\n`, { flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
  const installed = dependenciesIn(JSON.parse(await readFile(manifest, 'utf8')) as JsonValue);
  return {
    path: folder,
    installed,
    async nodePackages() {
      const names = [...installed.keys()];
      const areLibraries = await Promise.all(names.map((name) => isLibrary(join(folder, 'node_modules', name))));
      return names.filter((_, index) => !areLibraries[index]);
    },
    allows: (name) => allow === null || isNamed(allow, name),
  };
}

/** An unreadable package does not count as a library: another version of it may contain nodes. */
async function isLibrary(folder: string): Promise<boolean> {
  return readManifest(folder).then(
    (manifest) => manifest === undefined,
    () => false,
  );
}

function dependenciesIn(manifest: JsonValue): ReadonlyMap<string, string> {
  const dependencies = isJsonObject(manifest) ? manifest['dependencies'] : undefined;
  const entries = isJsonObject(dependencies) ? Object.entries(dependencies) : [];
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
