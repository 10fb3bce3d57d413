import type { Dirent } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { readAliases } from './read-manifest.ts';

/** A folder that may contain a package. */
export interface PackageFolder {
  /** Its folder name: `name` or `@scope/name`. */
  name: string;
  path: string;
  /** Located in `node_modules`, where most packages are dependencies of others. */
  installed: boolean;
  /** Name of the package that npm installed here under an alias (`name@npm:other`). */
  aliasOf?: string;
}

/**
 * Lists the packages of a folder by name: its subfolders and those installed by npm. Rejects with
 * the file system error if the folder cannot be read.
 */
export async function findPackageFolders(folder: string): Promise<PackageFolder[]> {
  const direct = (await packagesIn(folder)).filter(({ name }) => name !== 'node_modules');
  const modules = join(folder, 'node_modules');
  const installed = await packagesIn(modules).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  const aliases = await readAliases(folder);
  return [
    ...direct.map((packageFolder) => ({ ...packageFolder, installed: false })),
    ...installed.map((packageFolder) => {
      const aliasOf = aliases.get(packageFolder.name);
      return { ...packageFolder, installed: true, ...(aliasOf !== undefined && { aliasOf }) };
    }),
  ].sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
}

/** Resolves a folder to its path in stack traces; returns the path itself if that fails. */
export function realPath(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

async function packagesIn(folder: string): Promise<{ name: string; path: string }[]> {
  const entries = (await readdir(folder, { withFileTypes: true })).filter(isFolder);
  const pending = entries.map(async ({ name }) => {
    const path = join(folder, name);
    if (!name.startsWith('@')) return [{ name, path }];
    const scoped = (await readdir(path, { withFileTypes: true })).filter(isFolder);
    return scoped.map((inner) => ({ name: `${name}/${inner.name}`, path: join(path, inner.name) }));
  });
  return (await Promise.all(pending)).flat();
}

/** Includes links, which `npm link` and `npm install ./folder` create. */
function isFolder(entry: Dirent): boolean {
  return (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith('.');
}
