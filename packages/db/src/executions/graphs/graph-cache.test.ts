import { expect, test } from '@jest/globals';
import type { WorkflowGraph } from '@sluice/domain';
import { GraphCache } from './graph-cache.ts';

/** A repository of graphs of equal size that lists the hashes that were read. */
function aRepository(bytes: number) {
  const readHashes: string[] = [];
  const graph = { name: 'A', nodes: [], connections: {} } as unknown as WorkflowGraph;
  const findSized = async (_: string, hash: string) => {
    readHashes.push(hash);
    return hash === 'gone' ? undefined : { graph: graph as never, bytes };
  };
  return { readHashes, findSized };
}

test('a graph is read once', async () => {
  const repository = aRepository(10);
  const cache = new GraphCache(repository, 100);
  await Promise.all([cache.get('w', 'a'), cache.get('w', 'a')]);
  await cache.get('w', 'a');
  expect(repository.readHashes).toEqual(['a']);
});

test('the oldest graphs are evicted above the byte limit', async () => {
  const repository = aRepository(40);
  const cache = new GraphCache(repository, 100);
  for (const hash of ['a', 'b', 'c', 'b', 'a']) await cache.get('w', hash);
  expect(repository.readHashes).toEqual(['a', 'b', 'c', 'a']);
});

test('a graph that is larger than the limit is cached alone until another is loaded', async () => {
  const repository = aRepository(200);
  const cache = new GraphCache(repository, 100);
  for (const hash of ['a', 'a', 'b', 'a']) await cache.get('w', hash);
  expect(repository.readHashes).toEqual(['a', 'b', 'a']);
});

test('a deleted graph is looked up again', async () => {
  const repository = aRepository(1);
  const cache = new GraphCache(repository);
  for (let i = 0; i < 2; i += 1) await expect(cache.get('w', 'gone')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(repository.readHashes).toEqual(['gone', 'gone']);
});
