import { describe, expect, test } from '@jest/globals';
import { decodeCursor, encodeCursor } from './cursor.ts';

describe('cursors', () => {
  test('come back as they went out', () => {
    const position = { id: 'abc', at: '1700000000000000' };
    expect(decodeCursor('workflows', encodeCursor('workflows', position))).toEqual(position);
    expect(decodeCursor('executions', encodeCursor('executions', { id: '12' }))).toEqual({ id: '12' });
  });

  test('of one list are not those of another', () => {
    expect(() => decodeCursor('executions', encodeCursor('workflows', { id: '1', at: '1' }))).toThrow('cursor');
  });

  test.each([
    '',
    'x',
    'null',
    '[]',
    '{}',
    '{"kind":"executions"}',
    '{"kind":"executions","id":1}',
    '{"kind":"executions","id":"0"}',
    '{"__proto__":{"kind":"executions","id":"1"}}',
  ])('%s is none of ours', (text) => {
    expect(() => decodeCursor('executions', Buffer.from(text).toString('base64url'))).toThrow('cursor');
  });
});
