import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

interface LockedPackage {
  optionalDependencies?: Record<string, string>;
  resolved?: string;
}

const lockfiles = [
  'package-lock.json',
  'tools/node/package-lock.json',
  'tools/boundaries/package-lock.json',
  'tests/community/package-lock.json',
];
const read = (name: string): Record<string, LockedPackage> =>
  JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')).packages;
const packages = read('package-lock.json');

/** Follows Node's lookup: the package's own `node_modules`, then those of its parent folders. */
function isLocked(from: string, name: string): boolean {
  for (let path = from; ; path = path.slice(0, Math.max(path.lastIndexOf('/node_modules/'), 0))) {
    if (`${path === '' ? '' : `${path}/`}node_modules/${name}` in packages) return true;
    if (path === '') return false;
  }
}

test('the lockfile contains the packages of every platform, not only of the platform on which it was written', () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !isLocked(path, name)),
  );

  expect(missing).toEqual([]);
});

test.each(lockfiles)('%s names no registry, so that packages come from the configured registry', (name) => {
  const named = Object.values(read(name)).filter(({ resolved = '' }) => resolved.includes('://'));

  expect(named).toEqual([]);
});
