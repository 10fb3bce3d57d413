import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, test } from '@jest/globals';
import type { StrayErrorPort } from './ports.ts';
import { watchStrays } from './watch-strays.ts';

type Owner = Parameters<StrayErrorPort['run']>[0];

function watched<T>(work: () => T | Promise<T>) {
  const owners = new AsyncLocalStorage<Owner>();
  const logged: string[] = [];
  const strays: StrayErrorPort = { run: (owner, inner) => owners.run(owner, inner) };
  const node = { nodeName: 'X', logger: { error: (_: object, message: string) => void logged.push(message) } };
  const given = watchStrays(strays, node, () => work());
  return { given, owner: () => owners.getStore() };
}

test('what a node gives is given, at once where it is no promise', async () => {
  expect(watched(() => 1).given).toBe(1);
  await expect(watched(() => Promise.resolve(1)).given).resolves.toBe(1);
  await expect(watched(() => Promise.reject(new Error('no'))).given).rejects.toThrow('no');
});

test('what is thrown in a timer of a node that is not done fails the node', async () => {
  let owner: (() => Owner | undefined) | undefined;
  const run = watched(() => {
    setTimeout(() => owner?.()?.failed?.(new Error('late'), 'thrown'), 1);
    return new Promise<number>(() => {});
  });
  owner = run.owner;
  await expect(run.given).rejects.toMatchObject({ code: 'UNCAUGHT_NODE_ERROR', message: expect.stringContaining('"X"') });
});

test('a promise that fails unseen does not, since somebody may yet look at it', async () => {
  let owner: (() => Owner | undefined) | undefined;
  const run = watched(async () => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    owner?.()?.failed?.(new Error('unseen'), 'rejected');
    return 1;
  });
  owner = run.owner;
  await expect(run.given).resolves.toBe(1);
});
