import { expect, test } from '@jest/globals';
import { isHangUp, responseClosed } from './is-hang-up.ts';

const received = { complete: true, destroyed: true };

test('work aborted by a client disconnect is not an error', () => {
  expect(isHangUp(responseClosed, received)).toBe(true);
  expect(isHangUp({ code: 'ECONNRESET' }, { complete: false, destroyed: true })).toBe(true);
});

test('an error after the request was received is one', () => {
  expect(isHangUp({ code: 'ECONNRESET' }, received)).toBe(false);
  expect(isHangUp(new DOMException('stopped', 'AbortError'), received)).toBe(false);
});
