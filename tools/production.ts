import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * `node tools/production.ts`: removes development and optional dependencies from package.json and
 * package-lock.json, in the current folder and in its workspaces. The container image is installed
 * from these files.
 *
 * `--omit=dev` alone is not enough: `npm ci --workspace` also installs the dependencies of
 * workspaces that are devDependencies, and `npm sbom` drops every package that is also a
 * devDependency of another.
 */

interface Manifest {
  devDependencies?: unknown;
  optionalDependencies?: unknown;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

/**
 * Reads the manifests below `root`, and writes production manifests below `target`, which may be
 * the same folder.
 */
function writeProduction(root: string, target: string): void {
  const { packages, ...lockfile } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const entries = Object.entries<Manifest>(packages).map(([path, manifest]) => [path, production(manifest)]);
  writeJson(join(target, 'package-lock.json'), { ...lockfile, packages: Object.fromEntries(entries) });
  for (const path of Object.keys(packages).filter((name) => !name.includes('node_modules'))) {
    const manifest = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
    mkdirSync(join(target, path), { recursive: true });
    writeJson(join(target, path, 'package.json'), production(manifest));
  }
}

function production({ devDependencies: _development, optionalDependencies: _optional, ...manifest }: Manifest): object {
  const { peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
  const required = Object.entries(peerDependencies).filter(([name]) => peerDependenciesMeta[name]?.optional !== true);
  return { ...manifest, peerDependencies: Object.fromEntries(required), peerDependenciesMeta: {} };
}

/** A CycloneDX list of the npm packages in the image, from the manifests below `root`. */
export function sbomOf(root: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-sbom-'));
  try {
    writeProduction(root, folder);
    const options = ['--package-lock-only', '--workspace=@sluice/cli', '--sbom-format=cyclonedx', '--sbom-type=application'];
    return execFileSync('npm', ['sbom', ...options], { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function writeJson(path: string, value: object): void {
  writeFileSync(path, JSON.stringify(value));
}

if (import.meta.main) writeProduction('.', '.');
