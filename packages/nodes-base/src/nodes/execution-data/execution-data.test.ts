import { expect, test } from '@jest/globals';
import { NodeOperationError } from '@sluice/node-sdk';
import { runForJson, runNode } from '../../testing/fake-context.ts';
import { executionData } from './execution-data.ts';

const saving = (...values: { key: unknown; value: unknown }[]) => ({ dataToSave: { values } }) as never;

test('strings are saved, other values as JSON, and items pass with their files', async () => {
  const saved: string[][] = [];
  const binary = { file: { id: 'b1', mimeType: 'text/plain' } };
  const output = await runNode(executionData, {
    parameters: saving({ key: 'order', value: '7' }, { key: 'more', value: { a: 1 } }),
    inputs: [[{ json: { id: 1 }, binary }]],
    addCustomData: (...entry) => void saved.push(entry),
  });
  expect(output).toEqual([[{ json: { id: 1 }, binary, pairedItem: { item: 0 } }]]);
  expect(saved).toEqual([
    ['order', '7'],
    ['more', '{"a":1}'],
  ]);
});

test('a string beyond the limits fails only its item', async () => {
  const addCustomData = (key: string) => {
    if (key === 'bad key') throw new NodeOperationError('a key of custom data has letters', { description: 'Shorter' });
  };
  const parameters = (index: number) => saving({ key: index === 0 ? 'bad key' : 'good', value: 'x' });
  expect(await runForJson(executionData, { parameters, json: [{}, { id: 2 }], addCustomData, continueOnFail: true })).toEqual([
    { error: 'a key of custom data has letters' },
    { id: 2 },
  ]);
});

test('items pass without data; if data cannot be stored, the node reports it', async () => {
  expect(await runForJson(executionData, { json: [{ id: 1 }] })).toEqual([{ id: 1 }]);
  await expect(runForJson(executionData, { parameters: saving({ key: 'a', value: 'b' }) })).rejects.toThrow('cannot be saved');
});
