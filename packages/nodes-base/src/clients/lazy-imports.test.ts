import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

/**
 * Libraries that are loaded on first use, so that an idle worker uses little memory and starts
 * fast.
 */
const heavy = [
  '@cloudamqp/amqp-client',
  'basic-ftp',
  'cheerio',
  'file-type',
  'html-to-text',
  'imapflow',
  'ioredis',
  'jose',
  'kafkajs',
  'mongodb',
  'mqtt',
  'mysql2',
  'node-html-markdown',
  'nodemailer',
  'parse5-htmlparser2-tree-adapter',
  'pg',
  'postal-mime',
  'rhea',
  'showdown',
  'socks',
  'ssh2',
  'xml2js',
  '@e965/xlsx',
  'csv-parse',
  'csv-stringify',
  'iconv-lite',
  'ical-generator',
  'ts-ics',
  'unpdf',
  'yauzl',
  'yazl',
];

/** Loaded for the first file in their format, mostly on a work thread: `formats/run-task.ts`. */
const readers = /formats\/(?:read-[a-z]+|write-sheet)\.ts$/;
const imports = new RegExp(`^import (?!type\\b).*from '(${heavy.join('|')})(/[^']*)?'`, 'm');

test('database, mail, and file clients, and format readers, are imported on first use, not with the package', () => {
  const source = new URL('..', import.meta.url).pathname;
  const files = globSync(`${source}**/*.ts`).filter((file) => !/\.test\.ts$|\/testing\//.test(file));
  expect(files.length).toBeGreaterThan(50);
  const eager = files.filter((file) => !readers.test(file));
  expect(eager.filter((file) => imports.test(readFileSync(file, 'utf8')))).toEqual([]);
  const ofReaders =
    /^import (?!type\b).*formats\/(?:read-[a-z]+|write-sheet)\.ts'|^import (?!type\b).*'\.\/(?:read-(?:csv|sheet|pdf|calendar)|write-sheet)\.ts'/m;
  expect(files.filter((file) => ofReaders.test(readFileSync(file, 'utf8')) && !readers.test(file))).toEqual([]);
});
