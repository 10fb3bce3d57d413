import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '..');

interface LockedPackage {
  dev?: boolean;
  link?: boolean;
}

/** Folders of the installed packages that are not development dependencies. */
function productionPackages(): string[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, LockedPackage> };
  return Object.entries(lock.packages).flatMap(([path, { dev, link }]) =>
    path === '' || dev || link || !existsSync(join(root, path)) ? [] : [path],
  );
}

/** Paths of compiled addons. Not sources (`binding.gyp`): install scripts never run. */
function addonsIn(path: string): string[] {
  return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) => {
    const inner = `${path}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : addonsIn(inner);
    return entry.name.endsWith('.node') ? [inner] : [];
  });
}

test('no production dependency contains a native addon', () => {
  const packages = productionPackages();
  expect(packages).toContain('node_modules/bullmq');
  expect(packages.flatMap(addonsIn)).toEqual([]);
  expect(readFileSync(join(root, '.npmrc'), 'utf8')).toContain('ignore-scripts=true');
});

test('the API and the worker load no native addons, even with all node types', () => {
  const script = `
    await Promise.all(['@sluice/api', '@sluice/worker', '@sluice/queue'].map((name) => import(name)));
    const { baseNodeTypes } = await import('@sluice/nodes-base');
    if (baseNodeTypes.length === 0) throw new Error('no node types');
    console.log(JSON.stringify(process.report.getReport().sharedObjects.filter((path) => path.endsWith('.node'))));`;
  const loaded = execFileSync(process.execPath, ['--conditions=source', '--input-type=module', '--eval', script], {
    cwd: join(root, 'apps/cli'),
    encoding: 'utf8',
  });
  expect(JSON.parse(loaded)).toEqual([]);
});
