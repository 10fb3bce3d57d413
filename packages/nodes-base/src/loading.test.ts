import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { baseNodeTypes } from './base-node-types.ts';
import { loadInSlices } from './loading.ts';

test('every node type is in the folder from which it is loaded in slices', async () => {
  const source = readFileSync(new URL('./base-node-types.ts', import.meta.url), 'utf8');
  const imported = [...source.matchAll(/from '\.\/nodes\/([^']+)'/g)].map(([, path]) => path);
  const loaded = readdirSync(new URL('./nodes/', import.meta.url)).map((name) => `${name}/${name}.ts`);
  expect([...new Set(imported)].toSorted()).toEqual(loaded.toSorted());
  expect((await loadInSlices()).baseNodeTypes).toBe(baseNodeTypes);
});

test('loading never blocks the event loop of a new process for 250 ms', async () => {
  const script = `
    import { longestBusy } from '@sluice/test-support';
    const { loadInSlices } = await import('./loading.ts');
    console.log(await longestBusy(loadInSlices));`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=source', '--input-type=module', '--eval', script],
    { cwd: new URL('.', import.meta.url).pathname },
  );
  expect(Number(stdout)).toBeGreaterThan(1);
  expect(Number(stdout)).toBeLessThan(250);
});
