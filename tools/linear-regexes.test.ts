import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { type Node, parse } from 'acorn';
import { analyse } from 'scslre';

/*
 * If a regular expression takes more than linear time, a single request can block a process.
 * Patterns of users run in RE2, and their code runs in a guest with a deadline. These tests check
 * our own expressions.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const sources = globSync(['apps/*/src/**/*.ts', 'packages/*/src/**/*.ts'], { cwd: root }).filter(
  (file) => !/\.test\.ts$|\/testing\/|\/generated\/|^packages\/(?:sandbox\/src\/guest|test-support)\//.test(file),
);

/** Accepted slow expressions: file → why their input is bounded or trusted. */
const bounded: Record<string, string> = {
  'apps/cli/src/remote/event-stream.ts': 'the user has chosen the server that sends the lines',
  'apps/worker/src/machine-files/glob-pattern.ts': 'a pattern has at most 1,000 characters',
};

function literalsOf(file: string): string[] {
  const code = stripTypeScriptTypes(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'), { mode: 'strip' });
  const literals: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if (isRegex(value)) literals.push(value.raw);
    else for (const part of Object.values(value)) visit(part);
  };
  visit(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }));
  return literals;
}

function isRegex(value: object): value is Node & { regex: object; raw: string } {
  return 'regex' in value && 'raw' in value;
}

function isSlow(literal: string): boolean {
  const end = literal.lastIndexOf('/');
  return analyse({ source: literal.slice(1, end), flags: literal.slice(end + 1) }).reports.length > 0;
}

test('slow expressions are detected', () => {
  expect([String.raw`/\/+$/`, '/^(a+)+b/', '/^a*a*b/'].map(isSlow)).toEqual([true, true, true]);
  expect([String.raw`/(?<!\/)\/+$/`, '/^a+b/'].map(isSlow)).toEqual([false, false]);
});

test('all our regular expressions take linear time', () => {
  const literals = sources.flatMap((file) => literalsOf(file).map((literal) => ({ file, literal })));
  const slow = literals.filter(({ literal }) => isSlow(literal));

  expect(literals.length).toBeGreaterThan(300);
  expect(slow.filter(({ file }) => !(file in bounded))).toEqual([]);
  expect(Object.keys(bounded).filter((file) => !slow.some((finding) => finding.file === file))).toEqual([]);
});
