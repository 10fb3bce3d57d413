import { afterAll, expect, test } from '@jest/globals';
import { testDatabase } from '@sluice/test-support';
import { rows, statement } from '../src/statements/statement.ts';

const database = await testDatabase();
afterAll(() => database.drop());

interface Row {
  text: string | null;
  json: string | null;
  bytes: Buffer | null;
  big: string | null;
  small: number | null;
  flag: boolean | null;
  at: string | null;
}

const echo = statement({
  name: 'echo',
  parameters: {
    given: rows<Row>('r', {
      text: ['text', ({ text }) => text],
      json: ['json', ({ json }) => json],
      bytes: ['bytea', ({ bytes }) => bytes],
      big: ['bigint', ({ big }) => big],
      small: ['int', ({ small }) => small],
      flag: ['boolean', ({ flag }) => flag],
      at: ['timestamptz', ({ at }) => at],
    }),
  },
  text: ({ given }) =>
    `SELECT text, json::text AS json, bytes, big, small, flag, extract(epoch FROM at)::text AS at FROM ${given}`,
});

const empty: Row = { text: null, json: null, bytes: null, big: null, small: null, flag: null, at: null };

test.each<[string, Row[]]>([
  ['no rows', []],
  ['one row of nulls', [empty]],
  [
    'values at the limits of their types, with nulls in between',
    [
      {
        text: '{"a", \\b} \' é 😀 NULL',
        json: '{"a": [1, "é"]}',
        bytes: Buffer.from([0, 255, 92, 34]),
        big: '9223372036854775807',
        small: 2_147_483_647,
        flag: true,
        at: null,
      },
      empty,
      {
        text: '',
        json: 'null',
        bytes: Buffer.alloc(0),
        big: '-9223372036854775808',
        small: -2_147_483_648,
        flag: false,
        at: null,
      },
    ],
  ],
])('Postgres receives %s as sent', async (_, sent) => {
  expect(await database.db.query(echo({ given: sent }))).toEqual(sent);
});

test('a type without a binary form is sent as text', async () => {
  const [row] = await database.db.query<Row>(echo({ given: [{ ...empty, at: '1970-01-01T00:00:01.5Z' }] }));
  expect(row?.at).toBe('1.500000');
});

test('a lone surrogate becomes the replacement character, as in all text that is sent to Postgres', async () => {
  const [row] = await database.db.query<Row>(echo({ given: [{ ...empty, text: 'a\ud800b' }] }));
  expect(row?.text).toBe('a�b');
});
