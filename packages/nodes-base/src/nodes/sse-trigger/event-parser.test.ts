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
  // A final CR may be half of a line end: it counts when more data follows.
  expect(parse([`${stream}:`])).toEqual(expected);
  expect(parse([...`${stream}:`])).toEqual(expected);
});

test('an event without data is none, but its id stays; an id with a null character is none', () => {
  expect(parse(['id: 2\n\ndata: x\n\nid: a\0\ndata: y\n\nid\ndata: z\n\n'])).toEqual([
    { type: 'message', data: 'x', lastEventId: '2' },
    { type: 'message', data: 'y', lastEventId: '2' },
    { type: 'message', data: 'z', lastEventId: '' },
  ]);
});

test('an event that the stream ends in is none', () => {
  expect(parse(['data: x\n'])).toEqual([]);
});

test('what is not complete is counted', () => {
  const parser = new SseParser('');
  expect([...parser.feed('data: abc\nda')]).toEqual([]);
  expect(parser.pendingLength).toBe('abc\nda'.length);
});
