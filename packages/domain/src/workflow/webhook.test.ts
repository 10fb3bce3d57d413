import { expect, test } from '@jest/globals';
import { isPathSegment, isRouteSegment } from './webhook.ts';

test.each(['a', 'a.b', '...', '.well-known', 'größe', '😀', '%2e', 'x'.repeat(200)])('%j can be a part of a path', (text) => {
  expect(isPathSegment(text)).toBe(true);
});

test.each(['', '.', '..', 'a b', 'a/b', ':a', 'a?', 'a#', 'a\\b', '\ud800', 'a\udc00', '\u0000', 'x'.repeat(201)])(
  '%j cannot be a part of a path',
  (text) => {
    expect(isPathSegment(text)).toBe(false);
  },
);

test.each([
  ['a', true],
  [':id', true],
  [':', false],
  [':a-b', false],
  [`:${'x'.repeat(201)}`, false],
  ['..', false],
])('a webhook path may contain %j: %p', (text, isValid) => {
  expect(isRouteSegment(text)).toBe(isValid);
});
