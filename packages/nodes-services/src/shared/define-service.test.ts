import { expect, test } from '@jest/globals';
import { runForJson } from '@sluice/nodes-base/testing';
import { ApiClient } from './api-client.ts';
import { defineService } from './define-service.ts';

const client = new ApiClient({ service: 'Acme', credentialType: () => undefined, baseUrl: 'https://api.acme.test' });
const echo = { displayName: 'Echo', description: 'Returns its item', properties: [] };

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
  const error = expect.stringContaining('one of one, together');
  expect(await outputOf('one', 'none')).toEqual([{ one: 0 }, { error }]);
  expect(await outputOf('none', 'one')).toEqual([{ error }, { one: 1 }]);
});

test('the first item determines the operation for all items if they share requests', async () => {
  expect(await outputOf('together', 'together')).toEqual([{ together: 0 }, { together: 1 }]);
});
