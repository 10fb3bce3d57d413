import { appendFileSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { LogTail, type Notice, noticeOf, rotateLog } from './log-file.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sluice-log-'));
afterAll(() => rmSync(scratch, { recursive: true }));
const newFile = () => join(mkdtempSync(join(scratch, 'file-')), 'a.log');

test('warnings, errors and lines that are not log lines are shown; the rest is not', () => {
  expect(noticeOf('{"level":"info","msg":"execution finished"}')).toBeUndefined();
  expect(noticeOf('{"level":"warn","msg":"lost Redis","err":{"message":"refused"}}')).toEqual({
    level: 'warn',
    text: 'warn: lost Redis: refused',
  });
  expect(noticeOf('{"level":"fatal","msg":"no way on"}')).toEqual({ level: 'error', text: 'fatal: no way on' });
  expect(noticeOf('TypeError: x is not a function')).toEqual({ level: 'error', text: 'TypeError: x is not a function' });
  expect(noticeOf('')).toBeUndefined();
});

test('a tail passes on lines appended after it opened the file, also in pieces', () => {
  const file = newFile();
  writeFileSync(file, 'old\n');
  const seen: Notice[] = [];
  const tail = new LogTail(file, (notice) => seen.push(notice));

  appendFileSync(file, 'first\nsec');
  appendFileSync(file, 'ond\n');
  tail.close();

  expect(seen.map(({ text }) => text)).toEqual(['first', 'second']);
});

test('only a large log is rotated', () => {
  const file = newFile();
  writeFileSync(file, 'small');
  rotateLog(file);
  expect(statSync(file).size).toBe(5);

  truncateSync(file, 21 * 1024 * 1024);
  rotateLog(file);
  expect(() => statSync(file)).toThrow('ENOENT');
  expect(statSync(`${file}.1`).size).toBeGreaterThan(20 * 1024 * 1024);
});
