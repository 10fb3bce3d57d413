import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { baseCredentialTypes } from '@sluice/nodes-base/credentials';
import { credentialPage } from './credential-docs.ts';

test('docs/credential-types.md lists the built-in types (else: ./dev docs:nodes)', () => {
  const page = readFileSync(new URL('../docs/credential-types.md', import.meta.url), 'utf8');
  expect(page).toBe(credentialPage(baseCredentialTypes));
});
