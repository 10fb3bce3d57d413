import { expect, test } from '@jest/globals';
import { longestBusy } from '@sluice/test-support';
import { fakeContext } from '../../testing/fake-context.ts';
import { rowsOf, runItems } from './run-items.ts';
import type { SqlDialect } from './sql-dialect.ts';

const dialect: SqlDialect = { placeholder: () => '?', quoteName: (name) => name, dollarQuotes: false, backslashes: false };

test('a statement may have any number of results', async () => {
  const results = Array.from({ length: 200_000 }, (_, n) => ({ rows: [{ n }] }));
  const items = await runItems(fakeContext(), {
    batching: 'independently',
    open: async () => ({ dialect, run: async () => results, close: async () => {} }),
    statements: () => [{ text: 'SELECT 1', values: [] }],
    output: (statements) => statements.flatMap(({ rows }) => [...rows]),
  });
  expect([items.length, items.at(-1)]).toEqual([200_000, { json: { n: 199_999 }, pairedItem: { item: 0 } }]);
});

test('long statements for many items never block the event loop', async () => {
  const many = fakeContext({ json: Array.from({ length: 500 }, () => ({})) });
  const work = () =>
    runItems(many, {
      batching: 'single',
      open: async () => ({ dialect, run: async () => [], close: async () => {} }),
      output: rowsOf,
      statements: () => [{ text: JSON.stringify(JSON.parse(`"${'x'.repeat(1_000_000)}"`)), values: [] }],
    });
  expect(await longestBusy(work)).toBeLessThan(150);
});
