import { expect, test } from '@jest/globals';
import { identifiersOf, isOwnType } from './own-types.ts';

test('a built-in type has its own identifier and one in the de-facto format', () => {
  expect(identifiersOf('form')).toEqual(['base.form', 'n8n-nodes-base.form']);
  expect(identifiersOf('email-read-imap')).toEqual(['base.email-read-imap', 'n8n-nodes-base.emailReadImap']);
});

test.each([
  ['base.set', true],
  ['n8n-nodes-base.set', true],
  ['n8n-nodes-base-more.set', false],
  ['baseline.set', false],
])('%s is a built-in type: %s', (identifier, own) => {
  expect(isOwnType(identifier)).toBe(own);
});
