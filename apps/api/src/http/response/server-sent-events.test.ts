import { expect, test } from '@jest/globals';
import { formatEvent } from './server-sent-events.ts';

test('line breaks in data stay within the data line', () => {
  const text = formatEvent({ event: 'status', data: { name: 'a\n\nevent: x\r\u2028' }, id: '1-new' });
  expect(text).toBe('id: 1-new\nevent: status\ndata: {"name":"a\\n\\nevent: x\\r\u2028"}\n\n');
});

test('an event without an ID keeps the last ID', () => {
  expect(formatEvent({ event: 'x', data: 1 })).toBe('event: x\ndata: 1\n\n');
});
