import { expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { number, text, toggle } from '@sluice/nodes-base/node-tools';
import { runForJson } from '@sluice/nodes-base/testing';
import { ApiClient } from './api-client.ts';
import { defineService } from './define-service.ts';

const client = new ApiClient({ service: 'Acme', credentialType: () => undefined, baseUrl: 'https://api.acme.test' });
const echo = { displayName: 'Echo', description: 'Returns its item', properties: [] };

const size = number('size', 'Size', 0, 'Size');
const isOpen = toggle('isOpen', 'Is Open', 'Whether it is open');
const phone = text('phone', 'Phone', 'Phone');
const due = text('due', 'Due', 'Due', { type: 'dateTime' });
const acme = defineService({
  displayName: 'Acme',
  name: 'acme',
  version: 1,
  description: 'Echoes',
  client,
  resources: {
    thing: {
      displayName: 'Thing',
      operations: {
        one: { ...echo, run: async (item) => ({ one: item.index }) },
        limit: { ...echo, run: async (item) => ({ limit: item.limit() }) },
        typed: { ...echo, run: async (item) => item.typedFields('fields', [size, isOpen, phone, due]) },
        address: { ...echo, runAll: async (items) => items.map((item) => encodeURIComponent(item.text('name'))) },
        file: { ...echo, run: async (item) => item.download({ path: '/file' }, {}, item.text('name')) },
        together: { ...echo, runAll: async (items) => items.map(({ index }) => ({ together: index })) },
      },
    },
  },
});

/** Runs the node with one operation per item. */
const outputOf = (...operations: string[]) =>
  runForJson(acme, {
    json: operations.map(() => ({})),
    parameters: (index) => ({ operation: operations[index] ?? '' }),
    continueOnFail: true,
  });

test('only the item whose operation does not exist has an error if the node continues', async () => {
  const error = expect.stringContaining('one of one, limit, typed, address, file, together');
  expect(await outputOf('one', 'none')).toEqual([{ one: 0 }, { error }]);
  expect(await outputOf('none', 'one')).toEqual([{ error }, { one: 1 }]);
});

test('the first item determines the operation for all items if they share requests', async () => {
  expect(await outputOf('together', 'together')).toEqual([{ together: 0 }, { together: 1 }]);
});

test('half a character in an address is a clear error, also if items share requests', async () => {
  const parameters = { operation: 'address', name: 'a\ud83d' };
  const error = { name: 'NodeOperationError', message: expect.stringContaining('half a character') };
  await expect(runForJson(acme, { parameters })).rejects.toMatchObject(error);
  expect(await runForJson(acme, { parameters, continueOnFail: true })).toEqual([{ error: error.message }]);
});

test.each(['', ' '])('a downloaded file needs the name of a property: %j', async (name) => {
  await expect(runForJson(acme, { parameters: { operation: 'file', name } })).rejects.toMatchObject({
    name: 'NodeOperationError',
    message: expect.stringContaining('has no name'),
    itemIndex: 0,
  });
});

test.each<[JsonObject, number | null]>([
  [{}, 50],
  [{ limit: '7' }, 7],
  [{ limit: 2.5 }, 2],
  [{ limit: 0, returnAll: 'true' }, Number.POSITIVE_INFINITY],
])('the limit of %j is %d', async (parameters, limit) => {
  expect(await runForJson(acme, { parameters: { operation: 'limit', ...parameters } })).toEqual([{ limit }]);
});

test.each([0, -1, '-0.5', 'many'])('the limit %j is an error', async (limit) => {
  await expect(runForJson(acme, { parameters: { operation: 'limit', limit } })).rejects.toMatchObject({
    message: expect.stringContaining('the parameter "limit" must be'),
    itemIndex: 0,
  });
});

test('members of a collection have the types of their properties', async () => {
  const typed = (fields: JsonObject) => runForJson(acme, { parameters: { operation: 'typed', fields } });
  expect(await typed({ size: '5', isOpen: 'false', phone: 49151, due: 1769817600000, other: 5 })).toEqual([
    { size: 5, isOpen: false, phone: '49151', due: 1769817600000, other: 5 },
  ]);
  expect(await typed({ size: '', isOpen: null })).toEqual([{}]);
  await expect(typed({ size: 'large' })).rejects.toThrow('the parameter "fields.size" must be a number');
});
