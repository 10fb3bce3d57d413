import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { errorCodes } from '../packages/domain/src/error-code.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Matches `{ code: 'X' }`, `code = 'X'`, and the last argument of an error constructor. */
const literals = [/\bcode(?::| =) '([A-Z][A-Z_]+)'/g, /(?:new \w*Error|super)\([^\n]*, '([A-Z]+(?:_[A-Z]+)+)'/g];

function codesIn(path: string): string[] {
  const text = readFileSync(`${root}/${path}`, 'utf8');
  return literals.flatMap((literal) => [...text.matchAll(literal)].map(([, code = '']) => code));
}

const sources = ['packages/*/src/**/*.ts', 'apps/*/src/**/*.ts']
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .filter((path) => !path.endsWith('.test.ts') && !path.includes('/testing/') && !path.includes('test-support'));

test('docs/errors.md lists every error code in the sources', () => {
  const page = readFileSync(`${root}/docs/errors.md`, 'utf8');
  const codes = [...errorCodes, ...sources.flatMap(codesIn)];
  expect([...new Set(codes)].filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
});

test('every code in error-code.ts is used', () => {
  const text = sources
    .filter((path) => path !== 'packages/domain/src/error-code.ts')
    .map((path) => readFileSync(`${root}/${path}`, 'utf8'))
    .join('\n');
  expect(errorCodes.filter((code) => !text.includes(`'${code}'`))).toEqual([]);
});
