import { expect, test } from '@jest/globals';
import { checkedResponse } from './checked-response.ts';
import type { WebhookResponse } from './webhook.ts';

const good = { status: 200, headers: { 'x-a': '1' }, body: { kind: 'text', text: '' } };

test.each([
  {},
  { headers: { 'set-cookie': ['a=1', 'b=2'] } },
  { status: 204, body: { kind: 'none' } },
  { body: { kind: 'bytes', base64: '' } },
  { body: { kind: 'file', file: { id: 'a', mimeType: 'text/csv' } } },
  { body: { kind: 'page', title: '', message: '' } },
  { status: 599, headers: {}, body: { kind: 'json', json: null } },
])('a valid HTTP response is accepted: %j', (changes) => {
  const response = { ...good, ...changes } as WebhookResponse;
  expect(checkedResponse(response)).toBe(response);
});

test.each<[object, string]>([
  [{ status: 'abc' }, 'not "abc"'],
  [{ status: 99 }, 'not 99'],
  [{ status: 100 }, 'not 100'],
  [{ status: 103 }, 'not 103'],
  [{ status: 200.5 }, 'not 200.5'],
  [{ status: 600 }, 'not 600'],
  [{ status: Number.NaN }, 'not NaN'],
  [{ status: null }, 'not object'],
  [{ headers: null }, 'the headers of a response must be an object'],
  [{ headers: { 'a b': '1' } }, 'a header cannot have the name "a b"'],
  [{ headers: { '': '1' } }, 'a header cannot have the name ""'],
  [{ headers: { 'x-a\r\nx-b': '1' } }, 'a header cannot have the name "x-a\\r\\nx-b"'],
  [{ headers: { 'x-a': {} } }, 'the header "x-a" of a response must be a string'],
  [{ headers: { 'x-a': ['1', {}] } }, 'the header "x-a" of a response must be a string or a list of strings'],
  [{ headers: { 'x-a': [['1']] } }, 'the header "x-a"'],
  [{ body: undefined }, 'the body of a response has an unknown kind'],
  [{ body: { kind: 'other' } }, 'the body of a response has an unknown kind'],
  [{ body: { kind: 'text', text: 5 } }, 'the text of a response must be a string'],
  [{ body: { kind: 'bytes', base64: [1] } }, 'the bytes of a response must be in base64'],
  [{ body: { kind: 'file' } }, 'the body of a response lacks its file'],
  [{ body: { kind: 'file', file: { id: 1 } } }, 'the body of a response lacks its file'],
  [{ body: { kind: 'page', title: 'Done' } }, 'the page of a response needs a title and a message'],
])('an invalid HTTP response is refused with the reason: %j', (changes, message) => {
  expect(() => checkedResponse({ ...good, ...changes } as WebhookResponse)).toThrow(message);
});
