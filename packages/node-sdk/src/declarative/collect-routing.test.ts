import { expect, test } from '@jest/globals';
import type { NodeProperty } from '../description.ts';
import { collectRouting } from './collect-routing.ts';

test('very many selected values are read once, not once per option', () => {
  const names = Array.from({ length: 50 }, (_, index) => `o${index}`);
  const options = names.map((name) => ({ name, value: name, routing: { request: { url: name } } }));
  const properties: NodeProperty[] = [{ name: 'm', displayName: 'M', type: 'multiOptions', default: [], options }];
  let reads = 0;
  const chosen = new Proxy(['o3', ...Array<string>(1_000).fill('x'), 'o7'], {
    get(target, name, receiver) {
      reads += 1;
      return Reflect.get(target, name, receiver);
    },
  });
  const parts = collectRouting(properties, { parameters: { m: chosen }, typeVersion: 1 });
  expect(parts.map(({ routing }) => routing.request?.url)).toEqual(['o3', 'o7']);
  expect(reads).toBeLessThan(5 * chosen.length);
});
