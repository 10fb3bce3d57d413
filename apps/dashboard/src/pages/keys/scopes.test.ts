import { expect, test } from '@jest/globals';
import { groupScopes, readOnly, summaryOf } from './scopes.ts';

const all = ['workflow:read', 'workflow:create', 'execution:list', 'execution:stop'];

test('groups scopes by their object', () => {
  expect(groupScopes(all)).toEqual([
    { object: 'workflow', scopes: ['workflow:read', 'workflow:create'] },
    { object: 'execution', scopes: ['execution:list', 'execution:stop'] },
  ]);
});

test('recognizes read-only scopes', () => {
  expect(readOnly(all)).toEqual(['workflow:read', 'execution:list']);
});

test.each([
  [all, 'all'],
  [['workflow:read'], 'read only'],
  [['workflow:read', 'workflow:create'], '2 of 4'],
  [[], '0 of 4'],
])('summarizes %j as %p', (scopes, summary) => {
  expect(summaryOf(scopes, all)).toBe(summary);
});
