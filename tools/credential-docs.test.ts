import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { baseCredentialTypes } from '@sluice/nodes-base/credentials';
import { credentialPage } from './credential-docs.ts';
import { aiNodeTypes, builtInNodeTypes } from './node-examples.ts';

test('docs/credential-types.md lists the built-in types (else: ./dev docs:nodes)', () => {
  const page = readFileSync(new URL('../docs/credential-types.md', import.meta.url), 'utf8');
  expect(page).toBe(credentialPage(baseCredentialTypes));
});

test('if a node takes one of several credentials, each says for which choice', () => {
  const unclear = [...builtInNodeTypes, ...aiNodeTypes].filter(({ description: { credentials = [] } }) => {
    const optional = credentials.filter(({ required }) => !required);
    return optional.length > 1 && optional.some(({ displayOptions }) => !displayOptions);
  });
  expect(unclear.map(({ description }) => description.name)).toEqual([]);
});
