import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import { UnreadResponses } from './unread-responses.ts';

const aResponse = (destroyed = false) => {
  const response = Object.assign(new EventEmitter(), { destroyed, destroy });
  function destroy(): void {
    response.destroyed = true;
    response.emit('close');
  }
  return response as unknown as ServerResponse;
};

test('a user with unread responses gets another one while it holds less than is free; others get theirs', () => {
  const unread = new UnreadResponses(100);
  const first = aResponse();
  unread.add('slow', 30, first);
  unread.add('slow', 20, aResponse());
  expect(() => unread.add('slow', 1, aResponse())).toThrow('not read');
  unread.add('other', 25, aResponse());
  expect(() => unread.add('other', 10, aResponse())).toThrow('not read');
  first.emit('close');
  unread.add('slow', 10, aResponse());
});

test('the first response of a user may have any length; a closed response does not count', () => {
  const unread = new UnreadResponses(100);
  unread.add('user', 1_000, aResponse(true));
  unread.add('user', 1_000, aResponse());
  expect(() => unread.add('user', 1, aResponse())).toThrow('not read');
  unread.add('other', 1_000, aResponse());
});

test('a response that cannot be refused disconnects the oldest ones of the reader that holds the most', () => {
  const unread = new UnreadResponses(100);
  const [oldest, older, other, next, long] = [aResponse(), aResponse(), aResponse(), aResponse(), aResponse()];
  unread.addFirst('slow', 30, oldest);
  unread.addFirst('slow', 30, older);
  unread.addFirst('other', 40, other);
  unread.addFirst('new', 20, next);
  expect([oldest, older, other, next].map(({ destroyed }) => destroyed)).toEqual([true, false, false, false]);
  unread.addFirst('new', 1_000, long);
  expect([oldest, older, other, next, long].map(({ destroyed }) => destroyed)).toEqual([true, true, true, true, false]);
});
