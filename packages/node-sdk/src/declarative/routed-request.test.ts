import { expect, test } from '@jest/globals';
import { longestBusy } from '@sluice/test-support';
import { RoutedRequest } from './routed-request.ts';

test('a value is set in the objects on its path, which are copied once', async () => {
  const request = new RoutedRequest();
  const resolved = { a: { b: 1, list: [1] } };
  request.body = resolved;
  request.put('body', ['a', 'c', 'd'], 2);
  request.put('body', ['a', 'c', 'e'], resolved);
  request.put('body', ['a', 'c', 'e', 'a', 'b'], 3);
  request.put('body', ['a', 'list', 'x'], 4);
  request.put('query', ['__proto__'], 'q');
  expect(JSON.parse(JSON.stringify(request.body))).toEqual({
    a: { b: 1, list: { x: 4 }, c: { d: 2, e: { a: { b: 3, list: [1] } } } },
  });
  expect(resolved).toEqual({ a: { b: 1, list: [1] } });
  expect(Object.entries(request.qs)).toEqual([['__proto__', 'q']]);
});

test('10,000 values take linear time', async () => {
  const request = new RoutedRequest();
  const busy = await longestBusy(() => {
    for (let index = 0; index < 10_000; index++) request.put('body', ['metadata', `field ${index}`], index);
  });
  expect(Object.keys(request.body['metadata'] as object)).toHaveLength(10_000);
  expect(busy).toBeLessThan(250); // 10 s if each value copied the others
});
