import { expect, test } from '@jest/globals';
import { decodeCursor, encodeCursor } from './cursor.ts';

test('a cursor comes back as it went out, and is not that of another list', () => {
  const position = { id: 'abc', at: '1700000000000000' };
  expect(decodeCursor('workflows', encodeCursor('workflows', position))).toMatchObject(position);
  expect(() => decodeCursor('executions', encodeCursor('workflows', position))).toThrow('cursor');
});
