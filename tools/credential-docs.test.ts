import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { baseCredentialTypes } from '@sluice/nodes-base/credentials';
import { credentialPage } from './credential-docs.ts';
import { aiNodeTypes, builtInNodeTypes } from './node-examples.ts';

test('docs/credential-types.md is up to date (otherwise, run ./dev docs:nodes)', () => {
  const page = readFileSync(new URL('../docs/credential-types.md', import.meta.url), 'utf8');
  expect(page).toBe(credentialPage(baseCredentialTypes));
});

test('if a node has several optional credentials, each has display conditions', () => {
  const unclear = [...builtInNodeTypes, ...aiNodeTypes].filter(({ description: { credentials = [] } }) => {
    const optional = credentials.filter(({ required }) => !required);
    return optional.length > 1 && optional.some(({ displayOptions }) => !displayOptions);
  });
  expect(unclear.map(({ description }) => description.name)).toEqual([]);
});
