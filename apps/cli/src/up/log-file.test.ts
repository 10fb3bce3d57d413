import { appendFileSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { LogTail, type Notice, noticeOf, rotateLog } from './log-file.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sluice-log-'));
afterAll(() => rmSync(scratch, { recursive: true }));
const newFile = () => join(mkdtempSync(join(scratch, 'file-')), 'a.log');

test('only warnings, errors, and lines that are not JSON are shown', () => {
  expect(noticeOf('{"level":"info","msg":"execution finished"}')).toBeUndefined();
  expect(noticeOf('{"level":"warn","msg":"lost Redis","err":{"message":"refused"}}')).toEqual({
    level: 'warn',
    text: 'warn: lost Redis: refused',
  });
  expect(noticeOf('{"level":"fatal","msg":"no way on"}')).toEqual({ level: 'error', text: 'fatal: no way on' });
  expect(noticeOf('TypeError: x is not a function')).toEqual({ level: 'error', text: 'TypeError: x is not a function' });
  expect(noticeOf('')).toBeUndefined();
});

test('a notice about executions contains their IDs, their workflow, and the reason', () => {
  const ended = {
    level: 'warn',
    executionId: '12',
    workflowId: 'hello',
    status: 'error',
    error: 'not today',
    msg: 'execution ended',
  };
  expect(noticeOf(JSON.stringify(ended))?.text).toBe(
    'warn: execution ended (execution 12, workflow hello, status error): not today',
  );
  const crashed = { level: 'warn', executionIds: Array.from({ length: 12 }, (_, i) => `${i}`), msg: 'crashed' };
  expect(noticeOf(JSON.stringify(crashed))?.text).toBe('warn: crashed (executions 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more)');
  const poll = { level: 'warn', workflowId: 'w', nodeName: 'Mail', error: 'refused', msg: 'poll failed' };
  expect(noticeOf(JSON.stringify(poll))?.text).toBe('warn: poll failed (workflow w, node "Mail"): refused');
});

test('a notice about a package contains its name and the reason, without control sequences', () => {
  const line = { level: 'warn', package: 'sluice-nodes-x', reason: 'no \u001b[2J main', msg: 'node package not loaded' };
  expect(noticeOf(JSON.stringify(line))).toEqual({
    level: 'warn',
    text: 'warn: node package not loaded (package sluice-nodes-x): no \\u001b[2J main',
    ofPackage: true,
  });
});

test('a tail reports lines that are appended after it opened the file, even in pieces', () => {
  const file = newFile();
  writeFileSync(file, 'old\n');
  const seen: Notice[] = [];
  const tail = new LogTail(file, (notice) => seen.push(notice));

  appendFileSync(file, 'first\nsec');
  appendFileSync(file, 'ond\n');
  tail.close();

  expect(seen.map(({ text }) => text)).toEqual(['first', 'second']);
});

test('a character that is written in two parts is decoded correctly', () => {
  const file = newFile();
  const seen: Notice[] = [];
  const tail = new LogTail(file, (notice) => seen.push(notice));
  const bytes = Buffer.from('Größe\n');

  appendFileSync(file, bytes.subarray(0, 3));
  tail.read();
  appendFileSync(file, bytes.subarray(3));
  tail.close();

  expect(seen.map(({ text }) => text)).toEqual(['Größe']);
});

test('a large log is copied and truncated, and the tail continues with new lines', () => {
  const file = newFile();
  const seen: Notice[] = [];
  const tail = new LogTail(file, (notice) => seen.push(notice));

  appendFileSync(file, `{"level":"info","msg":"${'x'.repeat(2 ** 10)}"}\n`.repeat(21 * 2 ** 10));
  tail.read();
  expect([statSync(file).size, statSync(`${file}.1`).size > 20 * 2 ** 20]).toEqual([0, true]);
  appendFileSync(file, 'after\n');
  tail.read();
  truncateSync(file);
  tail.read();
  appendFileSync(file, 'at last\n');
  tail.close();

  expect(seen.map(({ text }) => text)).toEqual(['after', 'at last']);
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
