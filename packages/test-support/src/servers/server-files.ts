import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { readHostEnvironment } from '@sluice/config';
import { libraryPath, unpackedDebianPackages } from '@sluice/embedded';

/** Files of the packages of a server, installed or unpacked. */
export interface ServerFiles {
  /** Absolute path of `usr/…`; throws if the packages lack it. */
  find(path: string): Promise<string>;
  /** Environment variables with which the programs find their libraries. */
  env: Record<string, string>;
  /** The unpacked tree; absent if the packages are installed. */
  root?: string;
}

/**
 * Finds the installed Debian or Ubuntu packages of a server, or unpacks them. Rejects if apt cannot
 * download them.
 */
export async function serverFiles(
  name: string,
  packages: readonly string[],
  programs: readonly string[],
): Promise<ServerFiles> {
  const holds = async (roots: readonly string[]) =>
    (await Promise.all(programs.map((path) => findIn(roots, path)))).every(Boolean);
  if (await holds(['/'])) return filesIn(['/']);
  const root = await unpackedDebianPackages(readHostEnvironment(), {
    name: `test-${name}`,
    choices: [packages],
    isUsable: (tree) => holds([tree, '/']),
    onDownload: () => process.stderr.write(`tests: downloading ${packages.join(', ')} (once)\n`),
  });
  if (root === undefined) throw new Error(`apt cannot download ${packages.join(', ')}`);
  return { ...filesIn([root, '/']), env: { LD_LIBRARY_PATH: await libraryPath(root) }, root };
}

function filesIn(roots: readonly string[]): ServerFiles {
  return {
    env: {},
    async find(path) {
      const file = await findIn(roots, path);
      if (file === undefined) throw new Error(`no package has ${path}`);
      return file;
    },
  };
}

async function findIn(roots: readonly string[], path: string): Promise<string | undefined> {
  for (const file of roots.map((root) => join(root, path))) {
    try {
      await access(file);
      return file;
    } catch {
      // Not in this tree.
    }
  }
  return undefined;
}

/** Name of the directory of shared libraries, such as `x86_64-linux-gnu`. */
export function libraryTriple(): string {
  return { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' }[process.arch as string] ?? process.arch;
}
