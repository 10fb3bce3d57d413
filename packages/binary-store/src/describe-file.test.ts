import { describe, expect, test } from '@jest/globals';
import { type DescribedFile, describeFile, type FileDescription } from './describe-file.ts';

describe('describeFile', () => {
  test.each<[FileDescription, DescribedFile]>([
    [{ fileName: 'a.csv' }, { fileName: 'a.csv', fileExtension: 'csv', mimeType: 'text/csv' }],
    [{ fileName: 'a.tar.gz' }, { fileName: 'a.tar.gz', fileExtension: 'gz', mimeType: 'application/gzip' }],
    [{ fileName: 'README' }, { fileName: 'README', mimeType: 'application/octet-stream' }],
    [{ fileName: '.env' }, { fileName: '.env', mimeType: 'application/octet-stream' }],
    [{ mimeType: 'image/png' }, { fileExtension: 'png', mimeType: 'image/png' }],
    [
      { fileName: 'a.txt', mimeType: 'image/png' },
      { fileName: 'a.txt', fileExtension: 'txt', mimeType: 'image/png' },
    ],
    [{ mimeType: 'text/csv; charset=utf-8' }, { fileExtension: 'csv', mimeType: 'text/csv; charset=utf-8' }],
    [{}, { mimeType: 'application/octet-stream' }],
  ])('%j becomes %j', (file, described) => {
    expect(describeFile(file)).toEqual(described);
  });

  test.each<[string, string | undefined]>([
    ['../../etc/passwd', 'passwd'],
    ['C:\\temp\\a.txt', 'a.txt'],
    ['a\r\nSet-Cookie: x\0.txt', 'aSet-Cookie: x.txt'],
    ['a\ud800.txt', 'a\ufffd.txt'],
    ['folder/', undefined],
    [`${'ü'.repeat(400)}.pdf`, `${'ü'.repeat(251)}.pdf`],
  ])('the name %j is kept as %j', (fileName, expected) => {
    expect(describeFile({ fileName }).fileName).toBe(expected);
  });

  test.each<[string, string | undefined]>([
    ['a.txt', undefined],
    ['./a/b/x.json', './a/b'],
    ['/tmp/x.json', '/tmp'],
    ['/x.json', '/'],
    ['../x.json', '..'],
    ['a\\b\\x.json', 'a/b'],
    ['a\r\n\0/\ud800/x.json', 'a/\ufffd'],
    [`${'ü'.repeat(2_000)}/x.json`, 'ü'.repeat(1_024)],
  ])('the folder of %j is kept as %j', (fileName, expected) => {
    expect(describeFile({ fileName }).directory).toBe(expected);
  });

  test.each(['text', 'text/html\r\nx: y', 'text/html\r\n;x', 'a b/c', '/', `text/${'x'.repeat(200)}`])(
    '%j is not a type',
    (mimeType) => {
      expect(describeFile({ mimeType, fileName: 'a.txt' }).mimeType).toBe('text/plain');
    },
  );
});
