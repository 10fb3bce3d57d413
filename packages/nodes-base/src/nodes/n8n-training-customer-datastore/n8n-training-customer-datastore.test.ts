import { expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { runNode } from '../../testing/fake-context.ts';
import { n8nTrainingCustomerDatastore as type } from './n8n-training-customer-datastore.ts';

const all = ['23423532', '23423533', '23423534', '23423535', '23423536'];

async function ids(parameters: JsonObject | ((itemIndex: number) => JsonObject), json: JsonObject[] = [{}]) {
  const [items] = await runNode(type, { parameters, json });
  return items?.map((item) => item.json['id']);
}

test.each<[string, JsonObject, string[]]>([
  ['without parameters, the first customer', {}, all.slice(0, 1)],
  ['one person', { operation: 'getOnePerson', limit: 3 }, all.slice(0, 1)],
  ['all people, up to the limit', { operation: 'getAllPeople', limit: 2 }, all.slice(0, 2)],
  ['all people without a limit', { operation: 'getAllPeople' }, all],
  ['a limit above the number of customers', { operation: 'getAllPeople', limit: 99 }, all],
  ['a limit of 0', { operation: 'getAllPeople', limit: 0 }, []],
  ['a limit below none', { operation: 'getAllPeople', limit: -1 }, []],
  ['all people', { operation: 'getAllPeople', returnAll: true, limit: 1 }, all],
])('%s', async (_, parameters, expected) => {
  expect(await ids(parameters)).toEqual(expected);
});

test('each item has its customers', async () => {
  const parameters = (itemIndex: number) => ({ operation: 'getAllPeople', limit: itemIndex + 1 });
  expect(await ids(parameters, [{}, {}])).toEqual([...all.slice(0, 1), ...all.slice(0, 2)]);
});

test('an unknown operation fails', async () => {
  await expect(ids({ operation: 'deletePerson' })).rejects.toThrow('operation');
});
