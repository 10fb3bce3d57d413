import { expect, test } from '@jest/globals';
import type { CommunityDescription } from '../community-types.ts';
import { adaptDescription } from './adapt-description.ts';

const base: CommunityDescription = { displayName: 'X', name: 'x', version: 1, properties: [] };

test.each([
  [true, true],
  [{ replacements: { description: 'For agents' } }, true],
  [false, undefined],
  [undefined, undefined],
])('usableAsTool %j of a community type becomes %p', (usableAsTool, expected) => {
  expect(adaptDescription({ description: { ...base, usableAsTool } }).usableAsTool).toBe(expected);
});
