import { expect, test } from '@jest/globals';
import { packageOfType } from './foreign-type-names.ts';

test.each([
  ['acme.greeting', 'acme'],
  ['acme.greeting@1.1', 'acme'],
  ['@acme/nodes.greeting', '@acme/nodes'],
  ['@acme/nodes.greeting@2', '@acme/nodes'],
  ['nodes.of.acme.greeting@2', 'nodes.of.acme'],
])('%s is of the package %s', (name, packageName) => {
  expect(packageOfType(name)).toBe(packageName);
});
