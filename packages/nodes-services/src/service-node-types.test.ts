import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { checkParameters, validateNodeType } from '@sluice/node-sdk';
import { thrownErrors, unnoticedValues } from '@sluice/nodes-base/testing';
import { loadServiceNodeTypes, serviceFolders, serviceNodeTypes } from './service-node-types.ts';
import { apiPages, exampleOf, services } from './testing/index.ts';

const types = (await loadServiceNodeTypes()).map((type) => [type.description.name, type] as const);

/** The value that a script prints in a new process. */
async function printed(script: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=source', '--input-type=module', '--eval', script],
    {
      cwd: new URL('.', import.meta.url).pathname,
    },
  );
  return JSON.parse(stdout);
}

test('every service folder is in the table', () => {
  const folders = readdirSync(new URL('./services/', import.meta.url));
  expect([...new Set(serviceFolders.values())].sort()).toEqual(folders.sort());
});

test('every service has its API version and reference page', () => {
  expect(Object.keys(apiPages).sort()).toEqual(services.toSorted());
});

test('a type is loaded on first use, without the others', async () => {
  const loaded = await printed(`
    import { createRequire } from 'node:module';
    const { serviceNodeTypes } = await import('@sluice/nodes-services');
    const files = () => Object.keys(createRequire(import.meta.url).cache).filter((path) => path.includes('/src/services/')).length;
    const before = files();
    serviceNodeTypes.get('telegram')();
    console.log(JSON.stringify([before, files()]));`);
  expect(loaded).toEqual([0, expect.any(Number)]);
});

test('loading all types never blocks the event loop for 250 ms', async () => {
  const busyMs = await printed(`
    import { longestBusy } from '@sluice/test-support';
    const { loadServiceNodeTypes } = await import('@sluice/nodes-services');
    console.log(JSON.stringify(await longestBusy(loadServiceNodeTypes)));`);
  expect(busyMs).toBeGreaterThan(0);
  expect(busyMs).toBeLessThan(250);
});

test('every error has a hint for the author', () => {
  const { count, withoutHint } = thrownErrors(new URL('.', import.meta.url));
  expect(count).toBeGreaterThan(2);
  expect(withoutHint).toEqual([]);
});

describe.each(types)('%s', (name, type) => {
  test('is a valid node type under its name', () => {
    expect(validateNodeType(type)).toEqual([]);
    expect(type.description.name).toBe(name);
    expect(serviceNodeTypes.get(name)?.()).toBe(type);
  });

  test('accepts its example', async () => {
    const { parameters, typeVersion } = await exampleOf(name);
    const { version, defaultVersion } = type.description;
    expect(checkParameters(type, parameters, typeVersion ?? defaultVersion ?? Math.max(...[version].flat()))).toEqual([]);
  });

  test('documents what it needs, with setup, scopes, and limits in the notes', async () => {
    expect(await exampleOf(name)).toMatchObject({ needs: expect.any(String), notes: expect.any(String) });
  });

  test.each([type.description.version].flat())('version %d rejects a value of the wrong type in every parameter', (version) => {
    expect(unnoticedValues(type, version)).toEqual([]);
  });
});
