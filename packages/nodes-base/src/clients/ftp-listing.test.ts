import { afterAll, expect, test } from '@jest/globals';
import { leastWithin, longestBusy } from '@sluice/test-support';
import { parseList } from 'basic-ftp';
import { realPorts } from '../testing/credential-ports.ts';
import { ftpServer } from '../testing/ftp-server.ts';
import { openFtp } from './ftp-client.ts';
import { parseListing } from './ftp-listing.ts';

const ports = realPorts();
afterAll(() => ports.close());

const unix = (count: number) =>
  Array.from({ length: count }, (_, index) => `-rw-r--r-- 1 ann staff ${index} Nov 23 22:14 file ${index}.txt`).join('\r\n');
const mlsd = (count: number) =>
  Array.from(
    { length: count },
    (_, i) => `type=file;size=${i};modify=20260102030405;unique=${i};UNIX.mode=0644; file${i}`,
  ).join('\r\n');

/** Lists a folder on a server that sends the listing. */
async function list(listing: string) {
  const server = await ftpServer(listing);
  const client = await openFtp({ host: '127.0.0.1', port: server.port }, ports, AbortSignal.timeout(30_000));
  try {
    return await client.list();
  } finally {
    client.close();
    await server.close();
  }
}

test.each([
  ['Unix', `total 9\r\n${unix(3)}\r\n\r\n`],
  ['DOS', '02-21-26  12:01PM       <DIR>          folder\r\n02-21-26  12:01PM  12 a.txt'],
  ['MLSD', mlsd(3)],
  [
    'MLSD with a link before its target, and one outside of the folder',
    'type=OS.unix=symlink;unique=1; link\ntype=file;unique=2; a\ntype=OS.unix=symlink;unique=3; up\n' +
      'type=file;unique=1; target\ntype=cdir;unique=9; .\ntype=file;unique=3; /other/b',
  ],
  ['empty', ' \r\n'],
])('parses the same files as the library: %s', async (_format, listing) => {
  const files = await list(listing);
  expect(files).toEqual(parseList(listing));
  expect(await parseListing(listing)).toEqual(files);
});

test.each([
  ['Unix', unix(100_000)],
  ['MLSD', mlsd(100_000)],
])('a listing of 100,000 entries does not block the event loop: %s', async (_format, listing) => {
  let files: unknown[] = [];
  const busy = await longestBusy(async () => {
    files = await list(listing);
  });
  expect(files).toHaveLength(100_000);
  expect(busy).toBeLessThan(250);
});

test('a listing of 200,000 lines is refused and does not block the event loop', async () => {
  const listing = unix(200_000);
  const refused = () => longestBusy(() => expect(list(listing)).rejects.toThrow('the listing has more than 110000 lines'));
  expect(await leastWithin(250, refused)).toBeLessThan(250);
});

test.each([
  ['a line of several megabytes', `${'a=b;'.repeat(2_000_000)} x`, 'the listing has a line of more than 16384 characters'],
  ['an unknown format', 'hello', 'the server lists files in an unsupported format'],
])('%s is refused', async (_kind, listing, message) => {
  const busy = await longestBusy(() => expect(list(listing)).rejects.toThrow(message));
  expect(busy).toBeLessThan(250);
});
