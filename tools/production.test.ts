import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { sbomOf } from './production.ts';

interface LockedPackage {
  name?: string;
  version?: string;
  link?: boolean;
  resolved?: string;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

const root = new URL('..', import.meta.url).pathname;
const packages: Record<string, LockedPackage> = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8')).packages;

/** The path where Node finds the package `name`, imported by the package at `from`. */
function locate(from: string, name: string): string {
  for (let path = from; ; path = path.slice(0, Math.max(path.lastIndexOf('/node_modules/'), 0))) {
    const candidate = `${path === '' ? '' : `${path}/`}node_modules/${name}`;
    const locked = packages[candidate];
    if (locked !== undefined) return locked.link === true ? (locked.resolved ?? '') : candidate;
    if (path === '') throw new Error(`${from} needs ${name}, which is not in the lockfile`);
  }
}

/** All packages that the package at `path` needs to run, without optional packages. */
function closureOf(path: string, closure = new Set<string>()): Set<string> {
  if (closure.has(path)) return closure;
  closure.add(path);
  const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = packages[path] ?? {};
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  for (const name of [...Object.keys(dependencies), ...peers]) closureOf(locate(path, name), closure);
  return closure;
}

test('the SBOM lists exactly the packages that the CLI needs in production', () => {
  const { components } = JSON.parse(sbomOf(root));
  const listed: string[] = components.map(({ purl }: { purl: string }) => decodeURIComponent(purl).replace('pkg:npm/', ''));

  const needed = [...closureOf('apps/cli')].map((path) => {
    const { name = path.replace(/^.*node_modules\//, ''), version } = packages[path] ?? {};
    return `${name}@${version}`;
  });
  expect(needed).toEqual(expect.arrayContaining([expect.stringMatching(/^express@/), expect.stringMatching(/^bullmq@/)]));
  expect([...new Set(listed)].sort()).toEqual([...new Set(needed)].sort());
});
