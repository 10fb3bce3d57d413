import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { AppError, type JsonObject } from '@sluice/node-sdk';
import { type FakeListener, type ListenOptions, listen } from '@sluice/node-sdk/testing';
import { eventually } from '@sluice/test-support';
import { realPorts } from '../../testing/credential-ports.ts';
import { type ImapServer, imapServer } from '../../testing/imap-server.ts';
import { emailReadImap } from './email-read-imap.ts';
import { example } from './example.ts';
import { searchRules } from './search-rules.ts';

const ports = realPorts();
const password = 'correct horse';
const listeners: FakeListener[] = [];
let server: ImapServer;

beforeEach(async () => {
  server = await imapServer(password);
});
afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.close();
  await server.close();
});
afterAll(() => ports.close());

async function start(
  parameters: JsonObject = {},
  { credential = {}, ...more }: ListenOptions & { credential?: JsonObject } = {},
): Promise<FakeListener> {
  const login = { host: '127.0.0.1', port: server.port, user: 'ann', password, secure: false, ...credential };
  const listener = await listen(emailReadImap, { connect: ports.connect, credentials: { imap: login }, parameters, ...more });
  listeners.push(listener);
  return listener;
}

const mail = (subject: string) => `From: Ann <ann@example.com>\r\nTo: bob@example.com\r\nSubject: ${subject}\r\n\r\nHi!\r\n`;
const jsonOf = ({ events }: FakeListener) => events.map(({ items }) => items.map(({ json }) => json));
const subjects = (listener: FakeListener) => jsonOf(listener).map(([json]) => json?.['subject']);
const isRead = () => server.mails.map(({ flags }) => flags.has('\\Seen'));
const withAttachment = [
  'From: ann@example.com',
  'Subject: =?utf-8?q?gr=C3=BC=C3=9Fe?=',
  'X-A: 1',
  'X-A: 2',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: text/html',
  '',
  '<b>Hi</b>',
  '--b',
  'Content-Type: image/png; name="../a.png"',
  'Content-Disposition: attachment; filename="a.png"',
  'Content-Transfer-Encoding: base64',
  '',
  'aGVsbG8=',
  '--b--',
  '',
].join('\r\n');

test('the example works', async () => {
  server.mails.push({ uid: 7, flags: new Set(), source: mail('Hello') });
  const listener = await start(example.parameters);
  await eventually(() => expect(jsonOf(listener)).toEqual(example.outputs));
  await eventually(() => expect(isRead()).toEqual([true]));
});

test('unread messages come first, then new messages, each once and in order', async () => {
  server.deliver(mail('read'), ['\\Seen']);
  for (const subject of ['a', 'b']) server.deliver(mail(subject));
  const listener = await start();
  await eventually(() => expect(subjects(listener)).toEqual(['a', 'b']));
  await eventually(() => expect(server.received.at(-1)).toMatch(/^IDLE/));
  server.deliver(mail('c'));
  await eventually(() => expect(subjects(listener)).toEqual(['a', 'b', 'c']));
  await eventually(() => expect(isRead()).toEqual([true, true, true, true]));
});

test('a message is read again only if it started no execution, even if no message is marked', async () => {
  for (const subject of ['a', 'b']) server.deliver(mail(subject));
  const parameters = { postProcessAction: 'nothing' };
  const beforeCommit = ({ items }: { items: readonly { json: JsonObject }[] }) => {
    if (items[0]?.json['subject'] === 'b') throw new AppError({ code: 'TRIGGER_CLOSED', message: 'no' });
  };
  const before = await start(parameters, { beforeCommit });
  await eventually(() => expect(before.failures).toMatchObject([{ code: 'TRIGGER_CLOSED' }]));
  await before.close();
  expect(before.cursor).toEqual({ uidValidity: '1', lastUid: 1 });
  const after = await start(parameters, before.cursor ? { cursor: before.cursor } : {});
  await eventually(() => expect(subjects(after)).toEqual(['b']));
  expect(isRead()).toEqual([false, false]);
});

test('a message that was not marked before a worker ended is marked at the next start', async () => {
  server.deliver(mail('a'));
  const listener = await start({}, { cursor: { uidValidity: '1', lastUid: 1 } });
  expect(isRead()).toEqual([true]);
  expect(listener.events).toEqual([]);
});

test('a recreated mailbox is read from the beginning', async () => {
  server.deliver(mail('a'));
  const listener = await start({}, { cursor: { uidValidity: '9', lastUid: 50 } });
  await eventually(() => expect(subjects(listener)).toEqual(['a']));
});

test('a message that is too large to start an execution does not delay the others', async () => {
  for (const subject of ['large', 'small']) server.deliver(mail(subject));
  const beforeCommit = ({ items }: { items: readonly { json: JsonObject }[] }) => {
    if (items[0]?.json['subject'] === 'large') throw new AppError({ code: 'TRIGGER_DATA_TOO_LARGE', message: 'no' });
  };
  const listener = await start({}, { beforeCommit });
  await eventually(() => expect(subjects(listener)).toEqual(['small']));
  await eventually(() => expect(isRead()).toEqual([false, true]));
});

describe('the format', () => {
  test('"resolved" parses a message, with its attachments as files', async () => {
    server.deliver(withAttachment);
    const listener = await start({ format: 'resolved', dataPropertyAttachmentsPrefixName: 'file' });
    await eventually(() => expect(listener.events).toHaveLength(1));
    const [item] = listener.events[0]?.items ?? [];
    expect(item?.json).toMatchObject({
      from: { value: [{ name: '', address: 'ann@example.com' }], text: 'ann@example.com' },
      subject: 'grüße',
      headers: { 'x-a': ['1', '2'] },
      attachments: [{ fileName: 'a.png', mimeType: 'image/png', disposition: 'attachment' }],
      html: expect.stringContaining('<b>Hi</b>'),
    });
    expect(item?.binary).toMatchObject({ file0: { fileName: 'a.png', mimeType: 'image/png', fileSize: 5 } });
    expect(String(listener.files.get('file-0'))).toBe('hello');
  });

  test('"simple" includes attachments with the option, and "raw" is the unparsed message', async () => {
    server.deliver(withAttachment);
    const [plain, full, raw] = [
      await start({ postProcessAction: 'nothing' }),
      await start({ postProcessAction: 'nothing', downloadAttachments: true }),
      await start({ postProcessAction: 'nothing', format: 'raw' }),
    ];
    await eventually(() => expect(raw.events).toHaveLength(1));
    await eventually(() => expect(full.events[0]?.items[0]?.binary).toHaveProperty('attachment_0'));
    await eventually(() => expect(plain.events[0]?.items[0]).not.toHaveProperty('binary'));
    expect(Buffer.from(String(jsonOf(raw)[0]?.[0]?.['raw']), 'base64url').toString()).toBe(withAttachment);
  });

  test('is "raw" for a message that no mail program would write', async () => {
    server.deliver(`${'X-A: x\r\n'.repeat(100_000)}\r\n`);
    const listener = await start();
    await eventually(() => expect(jsonOf(listener)[0]).toMatchObject([{ attributes: { unreadable: true } }]));
  });
});

test('custom rules select the messages', async () => {
  for (const subject of ['order', 'news']) server.deliver(mail(subject));
  const listener = await start({ options: { customEmailConfig: '["ALL", ["SUBJECT", "order"]]' } });
  await eventually(() => expect(subjects(listener)).toEqual(['order']));
  expect(server.received.filter((command) => /SEARCH/.test(command))[0]).toMatch(/ALL/);
});

test('a large mailbox is searched in windows, newest messages first, with short command lines', async () => {
  server.mails = Array.from({ length: 25_000 }, (_, index) => ({
    uid: 4_000_000_000 + index,
    flags: new Set<string>(),
    source: mail('order'),
  }));
  const listener = await start({ postProcessAction: 'nothing' });
  await eventually(() => expect(listener.events.length).toBeGreaterThan(0));
  await listener.close();
  const searches = server.received.filter((command) => /SEARCH/.test(command));
  expect(searches.map((command) => / (\d+:\d+)/.exec(command)?.[1])).toEqual(['15001:25000', '5001:15000', '1:5000']);
  expect(jsonOf(listener)[0]).toMatchObject([{ attributes: { uid: 4_000_000_000 } }]);
});

test('rules are converted to as few searches as possible', () => {
  expect(searchRules('["UNSEEN", ["SINCE", "2026-11-01"], ["!FROM", "ann"], ["OR", "FLAGGED", ["LARGER", 5]]]')).toEqual([
    { seen: false, since: new Date('2026-11-01'), not: { from: 'ann' }, or: [{ flagged: true }, { larger: 5 }] },
  ]);
  expect(searchRules('[["FROM", "ann"], ["FROM", "bob"]]')).toEqual([{ from: 'ann' }, { from: 'bob' }]);
  expect(searchRules('[["HEADER", "X-A", "1"], "all"]')).toEqual([{ header: { 'X-A': '1' }, all: true }]);
});

test.each([
  '{}',
  '[{}]',
  '[["FROM"]]',
  '[["FROM", "a\\r\\nA1 DELETE INBOX"]]',
  '["EXPLODE"]',
  '[["SINCE", "someday"]]',
  '[["HEADER", "a b", "x"]]',
  '[["UID", "1 DELETE"]]',
  '[["OR", ["OR", ["OR", ["OR", ["OR", ["OR", "ALL"]]]]]]]',
  '[',
])('the rules %s are refused', (rules) => {
  expect(() => searchRules(rules)).toThrow(/search rule|not valid JSON/);
});

test('a server that ends the connection, or claims a message larger than the limit, is reported', async () => {
  const listener = await start();
  await eventually(() => expect(server.received.join()).toMatch(/SEARCH/));
  server.hangUp();
  await eventually(() => expect(listener.failures).toMatchObject([{ code: 'CONNECTION_FAILED' }]));
  server.claimedSize = 2 ** 30;
  server.deliver(mail('a'));
  const other = await start();
  await eventually(() => expect(other.failures).toMatchObject([{ message: expect.stringContaining('exceeds') }]));
  expect(other.events).toEqual([]);
});

test('a closed listener reports nothing and ends its connection', async () => {
  const listener = await start();
  await listener.close();
  expect(listener.failures).toEqual([]);
});

test('a missing mailbox or a wrong password prevents the start, and the error does not contain the password', async () => {
  await expect(start({ mailbox: 'None' })).rejects.toMatchObject({ message: 'IMAP: no such mailbox' });
  await expect(start({}, { credential: { password: 'wrong one' } })).rejects.toMatchObject({ message: 'IMAP: who is that' });
});
