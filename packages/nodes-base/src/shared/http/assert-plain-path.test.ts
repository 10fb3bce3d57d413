import { expect, test } from '@jest/globals';
import { longestBusy } from '@sluice/test-support';
import { assertPlainPath } from './assert-plain-path.ts';

test.each(['/a/..', '/a/../b', '..', './a', '/a/.', '/%2e%2E/b', '/a/.%2e?b', 'https://h.test/..', '/a\\..\\b', '/a/..#b'])(
  '%j would refer to another resource',
  (path) => expect(() => assertPlainPath(path, 3)).toThrow(expect.objectContaining({ itemIndex: 3 })),
);

test.each(['/a/...', '/a/..b', '/a.b/.c', '/a?b=/../c', '/..%2Fb', 'https://h.test/a', '/%2E%2Ea', '', '/'])(
  '%j is plain',
  (path) => expect(() => assertPlainPath(path)).not.toThrow(),
);

test('an oversized path is rejected cheaply', async () => {
  const address = `/${'ä/'.repeat(5_000_000)}..`;
  const check = () => {
    for (let n = 0; n < 1_000; n++) assertPlainPath(address);
  };
  expect(await longestBusy(check)).toBeLessThan(100);
});
