import { expect, test } from '@jest/globals';
import { hashKey, OpenKeys } from './open-keys.ts';

const names = (count: number) => Array.from({ length: count }, (_, i) => `key ${i}`);

/** JSON text of consecutive keys, and a function that adds the key at an index. */
function keysIn(texts: readonly string[], hash?: number) {
  const bytes = Buffer.from(texts.join(''));
  const keys = new OpenKeys(bytes);
  const takes = texts.map((text, index) => {
    const start = Buffer.byteLength(texts.slice(0, index).join(''));
    const end = start + Buffer.byteLength(text);
    return () => keys.addKey(start, end, hash ?? hashKey(bytes, start, end));
  });
  return { keys, take: (index: number) => takes[index]?.() };
}

test.each([3, 1_000])('distinguishes %d keys with equal hashes', (count) => {
  const { keys, take } = keysIn([...names(count), 'key 1', '\\u006bey 1'], 7);
  keys.enter(true);
  for (let index = 0; index < count; index++) expect(take(index)).toBe(true);
  expect([take(count), take(count + 1)]).toEqual([false, false]);
});

test.each([3, 1_000])('an object keeps its %d keys after a nested object ends', (count) => {
  const { keys, take } = keysIn([...names(count), ...names(count)]);
  keys.enter(true);
  for (let index = 0; index < count; index++) take(index);
  keys.enter(true);
  for (let index = count; index < 2 * count; index++) expect(take(index)).toBe(true);
  keys.leave();
  for (let index = count; index < 2 * count; index++) expect(take(index)).toBe(false);
});

test('the path of a value consists of keys and indexes', () => {
  const { keys, take } = keysIn(['a', 'b/c', 'd']);
  keys.enter(true);
  take(0);
  keys.next();
  take(1);
  keys.enter(false);
  keys.next();
  keys.enter(true);
  take(2);
  expect(keys.path()).toBe('/b~1c/1/d');
});
