import { afterAll, expect, test } from '@jest/globals';
import { VariableRepository } from '@sluice/db';
import { testDatabase } from '@sluice/test-support';

const database = await testDatabase();
const variables = new VariableRepository(database.db.kysely);
afterAll(() => database.drop());

test('variables are set, changed, listed by key, and deleted', async () => {
  await variables.set('region', 'eu');
  await variables.set('base_url', 'https://example.com');
  await variables.set('region', 'us');
  expect(await variables.list()).toEqual([
    { key: 'base_url', value: 'https://example.com' },
    { key: 'region', value: 'us' },
  ]);
  expect([await variables.delete('region'), await variables.delete('region')]).toEqual([true, false]);
  expect(await variables.list()).toHaveLength(1);
});

test.each([
  ['', 'x'],
  ['1a', 'x'],
  ['a-b', 'x'],
  ['a'.repeat(51), 'x'],
  ['a', 'x'.repeat(1_001)],
  ['a', '\0'],
])('the variable %j is rejected', async (key, value) => {
  await expect(variables.set(key, value)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
});
