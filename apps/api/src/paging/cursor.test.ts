import { expect, test } from '@jest/globals';
import { decodeCursor, encodeCursor } from './cursor.ts';

test('a cursor survives a round trip, and is invalid for other lists', () => {
  const position = { id: 'abc', at: '1700000000000000' };
  expect(decodeCursor('workflows', encodeCursor('workflows', position))).toMatchObject(position);
  expect(() => decodeCursor('executions', encodeCursor('workflows', position))).toThrow('cursor');
});
