import { expect, test } from '@jest/globals';
import { SseParser } from './event-parser.ts';

const parse = (pieces: readonly string[], lastEventId = '') => {
  const parser = new SseParser(lastEventId);
  return pieces.flatMap((piece) => [...parser.feed(piece)]);
};

test.each(['\n', '\r\n', '\r'])('lines may end with %j, wherever the stream is cut', (end) => {
  const stream = ['id: 1', 'event: price', 'data: a', 'data:b', '', ': note', 'data: c', '', ''].join(end);
  const expected = [
    { type: 'price', data: 'a\nb', lastEventId: '1' },
    { type: 'message', data: 'c', lastEventId: '1' },
  ];
  // A final CR may be half of a line end: it is processed when more data follows.
  expect(parse([`${stream}:`])).toEqual(expected);
  expect(parse([...`${stream}:`])).toEqual(expected);
});

test('an event without data is skipped, but its ID is kept; an ID with a null character is ignored', () => {
  expect(parse(['id: 2\n\ndata: x\n\nid: a\0\ndata: y\n\nid\ndata: z\n\n'])).toEqual([
    { type: 'message', data: 'x', lastEventId: '2' },
    { type: 'message', data: 'y', lastEventId: '2' },
    { type: 'message', data: 'z', lastEventId: '' },
  ]);
});

test('an incomplete event at the end of the stream is skipped', () => {
  expect(parse(['data: x\n'])).toEqual([]);
});

test('characters of an incomplete event are counted', () => {
  const parser = new SseParser('');
  expect([...parser.feed('data: abc\nda')]).toEqual([]);
  expect(parser.pendingLength).toBe('abc\nda'.length);
});
