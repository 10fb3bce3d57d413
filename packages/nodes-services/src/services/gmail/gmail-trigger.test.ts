import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { pollOnce } from '@sluice/node-sdk/testing';
import { baseCredentialTypes } from '@sluice/nodes-base/credentials';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './gmail-trigger.example.ts';
import { gmailTrigger } from './gmail-trigger.ts';
import { gmailServer } from './testing/gmail-server.ts';

interface Mail {
  id: string;
  /** Arrival time in seconds since 1970. */
  at: number;
  labelIds?: string[];
  /** Whether the Gmail search returns it. */
  isIndexed?: boolean;
}

const user = '/gmail/v1/users/me';
/** Messages in the order of the history: the first has the history ID 1. */
let mailbox: Mail[] = [];
let pageSize = 500;
let server: ApiServer;
beforeAll(async () => {
  server = await gmailServer();
});
beforeEach(() => {
  mailbox = [{ id: 'm1', at: 1_000_000 }];
  pageSize = 500;
  server.on(`GET ${user}/profile`, () => ({ json: { emailAddress: 'me@example.com', historyId: String(mailbox.length) } }));
  server.on(`GET ${user}/history`, ({ query }) => {
    const start = Number(query['pageToken'] ?? query['startHistoryId']);
    const records = mailbox.slice(start, start + pageSize).map(({ id }, index) => ({
      id: String(start + index + 1),
      messagesAdded: [{ message: { id } }],
    }));
    const end = start + records.length;
    return {
      json: {
        history: records,
        historyId: String(mailbox.length),
        ...(end < mailbox.length && { nextPageToken: String(end) }),
      },
    };
  });
  server.on(`GET ${user}/messages`, ({ query }) => {
    const [, after = 0] = /after:(\d+)/.exec(String(query['q'])) ?? [];
    const [, before = 1e12] = /before:(\d+)/.exec(String(query['q'])) ?? [];
    const matches = mailbox.filter(({ at, isIndexed = true }) => isIndexed && at > Number(after) && at < Number(before));
    const latestFirst = matches.toSorted((a, b) => b.at - a.at).map(({ id }) => ({ id }));
    const start = Number(query['pageToken'] ?? 0);
    const end = start + Number(query['maxResults']);
    return { json: { messages: latestFirst.slice(start, end), ...(end < matches.length && { nextPageToken: String(end) }) } };
  });
  server.on(`GET ${user}/messages/:id`, ({ params, query }) => {
    const mail = mailbox.find(({ id }) => id === params['id']);
    if (!mail) return { status: 404, json: { error: { message: 'Requested entity was not found.' } } };
    const { at, labelIds = ['INBOX'] } = mail;
    if (query['format'] === 'minimal') return { json: { id: mail.id, internalDate: String(at * 1000), labelIds } };
    return { json: { ...example.outputs?.[0]?.[0], id: mail.id } };
  });
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { gmailOAuth2: { oauthTokenData: { access_token: 'ya29' } } };
async function poll(
  cursor?: JsonObject,
  parameters: JsonObject = {},
  mode: 'manual' | 'trigger' = 'trigger',
  typeVersion = 1.3,
) {
  const polled = {
    parameters,
    typeVersion,
    http: server.http,
    credentials,
    credentialTypes: baseCredentialTypes,
    mode,
    ...(cursor && { cursor }),
  };
  const { items, cursor: next = {} } = await pollOnce(gmailTrigger, polled);
  return { ids: items.map(({ json }) => json['id']), items, cursor: next };
}

test('the first poll records what exists, and the next returns each new entry once', async () => {
  const initial = await poll();
  expect(initial.ids).toEqual([]);
  mailbox.push({ id: 'm2', at: 1_000_010 });
  const next = await poll(initial.cursor);
  expect(next.ids).toEqual(['m2']);
  expect((await poll(next.cursor)).ids).toEqual([]);
});

test('messages with the same time, an old date, or in another order are returned once, earliest first', async () => {
  const initial = await poll();
  mailbox.push({ id: 'm3', at: 1_000_020 }, { id: 'm2', at: 1_000_000 }, { id: 'm4', at: 1_000_020 }, { id: 'm0', at: 5 });
  const next = await poll(initial.cursor);
  expect(next.ids).toEqual(['m0', 'm2', 'm3', 'm4']);
  mailbox.push({ id: 'm5', at: 1_000_020 });
  expect((await poll(next.cursor)).ids).toEqual(['m5']);
});

test('messages that arrive between the pages of the history are returned once', async () => {
  const initial = await poll();
  pageSize = 2;
  for (const id of ['m2', 'm3', 'm4', 'm5', 'm6']) mailbox.push({ id, at: 1_000_010 });
  const next = await poll(initial.cursor);
  expect([...next.ids].sort()).toEqual(['m2', 'm3', 'm4', 'm5', 'm6']);
  expect((await poll(next.cursor)).ids).toEqual([]);
});

test('a poll handles a part of a long history, and the next one continues', async () => {
  const initial = await poll();
  for (let id = 0; id < 800; id++) mailbox.push({ id: `n${id}`, at: 1_000_010 + id });
  const first = await poll(initial.cursor);
  const second = await poll(first.cursor);
  expect([first.ids.length, second.ids.length, new Set([...first.ids, ...second.ids]).size]).toEqual([500, 300, 800]);
});

test('a message that the Gmail search does not find yet is returned by a later poll', async () => {
  const initial = await poll();
  const late: Mail = { id: 'm2', at: 1_000_010, isIndexed: false };
  mailbox.push(late, { id: 'm3', at: 1_000_010 });
  const next = await poll(initial.cursor);
  expect(next.ids).toEqual(['m3']);
  late.isIndexed = true;
  const last = await poll(next.cursor);
  expect([last.ids, last.cursor['pending']]).toEqual([['m2'], []]);
});

test('a message that no filter finds is eventually forgotten', async () => {
  const initial = await poll();
  mailbox.push({ id: 'm2', at: 1_000_010, isIndexed: false });
  const pending = [{ id: 'm2', untilMs: 1 }];
  expect((await poll({ ...initial.cursor, historyId: '2', pending })).cursor['pending']).toEqual([]);
});

test('message times replace an expired history', async () => {
  const initial = await poll();
  mailbox.push({ id: 'm2', at: 1_000_001 }, { id: 'm3', at: 1_000_000 });
  server.on(`GET ${user}/history`, () => ({ status: 404, json: { error: { message: 'Requested entity was not found.' } } }));
  const next = await poll(initial.cursor);
  expect([next.ids, next.cursor['historyId']]).toEqual([['m2'], '3']);
});

test('a poll after an expired history handles a part of the messages, and the next ones continue', async () => {
  const initial = await poll();
  // The first 600 start nothing; the others arrive in pairs.
  for (let id = 0; id < 600; id++) mailbox.push({ id: `s${id}`, at: 1_000_010 + id, labelIds: ['SENT'] });
  for (let id = 0; id < 900; id++) mailbox.push({ id: `n${id}`, at: 1_001_001 + (id >> 1) });
  server.on(`GET ${user}/history`, () => ({ status: 404, json: { error: { message: 'Requested entity was not found.' } } }));
  const polls = [await poll(initial.cursor)];
  for (let count = 0; count < 3; count++) polls.push(await poll(polls.at(-1)?.cursor));
  const ids = polls.flatMap((one) => one.ids);
  expect(polls.every((one) => one.ids.length <= 500)).toBe(true);
  expect(ids).toEqual(Array.from({ length: 900 }, (_, id) => `n${id}`));
  expect(polls.map(({ cursor }) => cursor['historyId'])).toEqual(['1', '1', '1', '1501']);
});

test('drafts, sent messages, and deleted ones start nothing', async () => {
  const initial = await poll();
  mailbox.push(
    { id: 'm2', at: 1_000_010, labelIds: ['DRAFT'] },
    { id: 'm3', at: 1_000_010, labelIds: ['SENT'] },
    { id: 'm4', at: 1_000_010, labelIds: ['SENT', 'INBOX'] },
  );
  server.on(`GET ${user}/history`, () => ({
    json: { history: ['m2', 'm3', 'm4', 'm5'].map((id) => ({ messagesAdded: [{ message: { id } }] })), historyId: '4' },
  }));
  expect((await poll(initial.cursor)).ids).toEqual(['m4']);
  expect((await poll(initial.cursor, { filters: { includeDrafts: true } })).ids).toEqual(['m2', 'm4']);
});

test('the example: filters are search filters', async () => {
  const initial = await poll();
  mailbox.push({ id: 'm2', at: 1_000_010 });
  const { items } = await poll(initial.cursor, example.parameters);
  expect(items.map(({ json }) => json['id'])).toEqual(['m2']);
  const search = server.received.findLast(({ url }) => url.startsWith(`${user}/messages?`));
  const { searchParams } = new URL(search?.url ?? '', server.origin);
  expect(searchParams.get('q')).toBe('is:unread from:ada@example.com after:1000009 before:1000012');
});

test('one of several senders, labels, and spam are filters', async () => {
  const initial = await poll();
  mailbox.push({ id: 'm2', at: 1_000_010 });
  const filters = { sender: ['a@x', 'b@x'], labelIds: ['L1', 'L2'], includeSpamTrash: true };
  await poll(initial.cursor, { filters });
  const { searchParams } = new URL(server.received.find(({ url }) => url.includes('from'))?.url ?? '', server.origin);
  expect(searchParams.get('q')).toBe('{from:a@x from:b@x} after:1000009 before:1000012');
  expect([searchParams.getAll('labelIds'), searchParams.get('includeSpamTrash')]).toEqual([['L1', 'L2'], 'true']);
});

test('a full message has its attachments', async () => {
  const initial = await poll();
  mailbox.push({ id: 'm2', at: 1_000_010 });
  const raw = [
    'From: Ada <ada@example.com>',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    '',
    'Hello',
    '--b',
    'Content-Type: text/csv; name=a.csv',
    'Content-Disposition: attachment; filename=a.csv',
    '',
    'x,y',
    '--b--',
  ].join('\r\n');
  server.on(`GET ${user}/messages/:id`, ({ query }) => ({
    json:
      query['format'] === 'raw' ? { id: 'm2', raw: Buffer.from(raw).toString('base64url') } : { internalDate: '1000010000' },
  }));
  const options = { downloadAttachments: true, dataPropertyAttachmentsPrefixName: 'file' };
  const { items } = await poll(initial.cursor, { simple: false, options });
  expect(items).toMatchObject([{ json: { id: 'm2', text: 'Hello\n' }, binary: { file0: { fileName: 'a.csv' } } }]);
});

test('since version 1.4, a poll returns a part of the messages, and the next polls return the others', async () => {
  const pollNewer = (cursor?: JsonObject, maxResults = 2) => poll(cursor, { maxResults }, 'trigger', 1.4);
  const initial = await pollNewer();
  for (const id of [2, 3, 4, 5, 6]) mailbox.push({ id: `m${id}`, at: 1_000_000 + id });
  const first = await pollNewer(initial.cursor);
  expect(first.ids).toEqual(['m2', 'm3']);
  mailbox.push({ id: 'm7', at: 1_000_007 });
  const second = await pollNewer(first.cursor);
  expect(second.ids).toEqual(['m4', 'm5']);
  const third = await pollNewer(second.cursor);
  expect(third.ids).toEqual(['m6', 'm7']);
  expect((await pollNewer(third.cursor)).ids).toEqual([]);
});

test('a message that was deleted while it waited is omitted', async () => {
  const parameters = { maxResults: 1 };
  const initial = await poll(undefined, parameters, 'trigger', 1.4);
  mailbox.push({ id: 'm2', at: 1_000_002 }, { id: 'm3', at: 1_000_003 }, { id: 'm4', at: 1_000_004 });
  const first = await poll(initial.cursor, parameters, 'trigger', 1.4);
  mailbox = mailbox.map((mail) => (mail.id === 'm3' ? { ...mail, id: 'gone' } : mail));
  const second = await poll(first.cursor, parameters, 'trigger', 1.4);
  const third = await poll(second.cursor, parameters, 'trigger', 1.4);
  expect([first.ids, second.ids, third.ids]).toEqual([['m2'], [], ['m4']]);
});

test.each([
  [1000, 50],
  [0, 1],
  [undefined, 10],
])('a poll with the limit %s returns %i messages', async (maxResults, expected) => {
  const parameters = { ...(maxResults !== undefined && { maxResults }) };
  const initial = await poll(undefined, parameters, 'trigger', 1.4);
  for (let id = 0; id < 60; id++) mailbox.push({ id: `n${id}`, at: 1_000_010 + id });
  expect((await poll(initial.cursor, parameters, 'trigger', 1.4)).ids).toHaveLength(expected);
});

test('since version 1.4, scheduled messages start nothing', async () => {
  const initial = await poll(undefined, {}, 'trigger', 1.4);
  mailbox.push({ id: 'm2', at: 1_000_010 });
  await poll(initial.cursor, { filters: { q: 'hi' } }, 'trigger', 1.4);
  await poll(undefined, { filters: { q: 'hi' } }, 'manual', 1.4);
  const request = server.received
    .filter(({ url }) => url.includes('scheduled'))
    .map(({ url }) => new URL(url, server.origin).searchParams.get('q'));
  expect(request).toEqual(['hi -in:scheduled after:1000009 before:1000012', 'hi -in:scheduled']);
});

test('a manual run returns the latest message', async () => {
  mailbox.push({ id: 'm2', at: 1_000_010 });
  expect((await poll(undefined, {}, 'manual')).ids).toEqual(['m2']);
});

test('a failed poll keeps the cursor', async () => {
  const initial = await poll();
  server.on(`GET ${user}/history`, () => ({ status: 401, json: { error: { message: 'no', status: 'UNAUTHENTICATED' } } }));
  await expect(poll(initial.cursor)).rejects.toThrow('Gmail: no (UNAUTHENTICATED)');
});

test('messages whose total size is too large wait for the next poll', async () => {
  const initial = await poll();
  mailbox.push(...Array.from({ length: 7 }, (_, n) => ({ id: `n${n}`, at: 1_000_001 + n })));
  server.on(`GET ${user}/messages/:id`, ({ params, query }) => {
    const { at = 0 } = mailbox.find(({ id }) => id === params['id']) ?? {};
    if (query['format'] === 'minimal')
      return { json: { id: params['id'], internalDate: String(at * 1000), labelIds: ['INBOX'] } };
    return { json: { id: params['id'], snippet: 'x'.repeat(7_000_000) } };
  });
  const first = await poll(initial.cursor);
  const second = await poll(first.cursor);
  expect([first.ids, second.ids]).toEqual([
    ['n0', 'n1', 'n2', 'n3', 'n4'],
    ['n5', 'n6'],
  ]);
  expect((await poll(second.cursor)).ids).toEqual([]);
});
