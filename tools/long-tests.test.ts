import { globSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { longTests } from './long-tests.ts';

test.each(Object.entries(longTests))('every long test of %s exists', (folder, names) => {
  const files = names.flatMap((name) => globSync(`${folder}/${name}{,.int,.e2e,.browser}.test.ts`));
  expect(files).toHaveLength(names.length);
});
