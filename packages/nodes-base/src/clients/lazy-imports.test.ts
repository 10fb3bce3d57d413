import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

/** Libraries that a process loads only when somebody uses them: a worker that idles stays small and starts fast. */
const heavy = [
  'basic-ftp',
  'cheerio',
  'imapflow',
  'ioredis',
  'jose',
  'markdown-it',
  'mongodb',
  'mysql2',
  'node-html-markdown',
  'nodemailer',
  'parse5-htmlparser2-tree-adapter',
  'pg',
  'socks',
  'ssh2',
  'xml2js',
];
const imports = new RegExp(`^import (?!type\\b).*from '(${heavy.join('|')})(/[^']*)?'`, 'm');

test('clients of databases, mail and files, and readers of formats, are imported where they are used, not when the package is', () => {
  const source = new URL('..', import.meta.url).pathname;
  const files = globSync(`${source}**/*.ts`).filter((file) => !/\.test\.ts$|\/testing\//.test(file));
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter((file) => imports.test(readFileSync(file, 'utf8')))).toEqual([]);
});
