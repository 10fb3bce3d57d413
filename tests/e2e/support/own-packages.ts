import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Package name → file name → source of a node type. */
export type PackageSources = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Creates a folder for `SLUICE_NODES_DIR` with the packages. */
export async function packageFolder(packages: PackageSources): Promise<{ folder: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'own-nodes-'));
  for (const [name, files] of Object.entries(packages)) {
    const place = join(folder, 'node_modules', name);
    await mkdir(place, { recursive: true });
    const manifest = { name, version: '1.0.0', type: 'module', sluice: { nodes: Object.keys(files) } };
    await writeFile(join(place, 'package.json'), JSON.stringify(manifest));
    for (const [file, source] of Object.entries(files)) await writeFile(join(place, file), source);
  }
  return { folder, stop: () => rm(folder, { recursive: true, force: true }) };
}
