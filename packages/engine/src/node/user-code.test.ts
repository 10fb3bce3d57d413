import { expect, jest, test } from '@jest/globals';
import type { BinaryAccess } from '@sluice/node-sdk';
import { graphOf, runGraph, testEngine } from '../testing/run-graph.ts';
import { run } from '../testing/run-three-items.ts';

const trigger = { type: 'manual-trigger' };

test('files that user code creates are stored and referenced by their items', async () => {
  const engine = testEngine();
  engine.sandbox.runCodeWith = async () => {
    const binary = {};
    const file = { target: binary, key: 'f', content: Buffer.from('hi'), description: { fileName: 'a.txt' } };
    return { items: [{ json: {}, binary }], files: [file], logs: [] };
  };
  const stored = { id: 'f1', mimeType: 'text/plain', fileName: 'a.txt' };
  const store = jest.fn<BinaryAccess['store']>(async () => stored);
  const binary = { store, read: () => Promise.reject(), open: () => Promise.reject() };
  const { runData } = await runGraph(graphOf(['T -> X'], { T: trigger, X: { type: 'code' } }), { binary }, engine);
  expect(store).toHaveBeenCalledWith(Buffer.from('hi'), { fileName: 'a.txt' });
  expect(runData['X']?.[0]?.data?.['main']?.[0]).toMatchObject([{ binary: { f: stored } }]);
});

test('user code reads files through the run', async () => {
  const engine = testEngine();
  engine.sandbox.runCodeWith = async ({ readFile }) => {
    const content = await readFile?.({ id: 'f1', mimeType: 'text/plain' }, 10);
    return { items: [{ json: { text: String(content) } }], logs: [] };
  };
  const read = jest.fn<BinaryAccess['read']>(async () => Buffer.from('hi'));
  const binary = { read, store: () => Promise.reject(), open: () => Promise.reject() };
  const { runData } = await runGraph(graphOf(['T -> X'], { T: trigger, X: { type: 'code' } }), { binary }, engine);
  expect(read).toHaveBeenCalledWith({ id: 'f1', mimeType: 'text/plain' }, 10);
  expect(runData['X']?.[0]?.data?.['main']?.[0]).toMatchObject([{ json: { text: 'hi' } }]);
});

test('console output of user code is kept with the run, even if it fails', async () => {
  const engine = testEngine();
  engine.sandbox.runCodeWith = async ({ scope }) => ({ items: [...scope.items], logs: ['one', 'two'] });
  expect((await run({ type: 'code' }, 'manual', engine)).runData['X']?.[0]?.logs).toEqual(['one', 'two']);
  engine.sandbox.runCodeWith = () => Promise.reject(Object.assign(new Error('boom'), { logs: ['last words'] }));
  expect((await run({ type: 'code' }, 'manual', engine)).runData['X']?.[0]).toMatchObject({
    executionStatus: 'error',
    logs: ['last words'],
  });
});
