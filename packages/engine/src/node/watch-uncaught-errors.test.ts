import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, test } from '@jest/globals';
import type { UncaughtErrorPort } from '../ports.ts';
import { watchUncaughtErrors } from './watch-uncaught-errors.ts';

type Owner = Parameters<UncaughtErrorPort['run']>[0];

function watched<T>(work: () => T | Promise<T>) {
  const owners = new AsyncLocalStorage<Owner>();
  const logged: string[] = [];
  const uncaughtErrors: UncaughtErrorPort = { run: (owner, inner) => owners.run(owner, inner) };
  const node = { nodeName: 'X', logger: { error: (_: object, message: string) => void logged.push(message) } };
  const result = watchUncaughtErrors(uncaughtErrors, node, () => work());
  return { result, owner: () => owners.getStore() };
}

test('the result of a node is returned, synchronously if it is not a promise', async () => {
  expect(watched(() => 1).result).toBe(1);
  const json = JSON.parse('{"then":1}');
  expect(watched(() => json).result).toBe(json);
  await expect(watched(() => Promise.resolve(1)).result).resolves.toBe(1);
  await expect(watched(() => Promise.reject(new Error('no'))).result).rejects.toThrow('no');
});

test('an error thrown in a timer of a running node fails the node', async () => {
  let owner: (() => Owner | undefined) | undefined;
  const run = watched(() => {
    setTimeout(() => owner?.()?.failed?.(new Error('late'), 'thrown'), 1);
    return new Promise<number>(() => {});
  });
  owner = run.owner;
  await expect(run.result).rejects.toMatchObject({ code: 'UNCAUGHT_NODE_ERROR', message: expect.stringContaining('"X"') });
});

test('an unhandled rejection does not fail the node, because it may still be handled', async () => {
  let owner: (() => Owner | undefined) | undefined;
  const run = watched(async () => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    owner?.()?.failed?.(new Error('unseen'), 'rejected');
    return 1;
  });
  owner = run.owner;
  await expect(run.result).resolves.toBe(1);
});
