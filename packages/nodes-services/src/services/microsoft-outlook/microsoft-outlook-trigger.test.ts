import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { JsonObject, MethodContext } from '@sluice/node-sdk';
import { pollOnce } from '@sluice/node-sdk/testing';
import { baseCredentialTypes } from '@sluice/nodes-base/credentials';
import type { ApiServer } from '../../testing/api-server.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { example } from './microsoft-outlook-trigger.example.ts';
import { microsoftOutlookTrigger } from './microsoft-outlook-trigger.ts';
import { outlookServer } from './testing/outlook-server.ts';

interface Mail {
  id: string;
  /** Arrival time in seconds since 1970. */
  at: number;
}

const user = '/v1.0/me';
const started = 1_000_000;
let mailbox: Mail[] = [];
let server: ApiServer;
beforeAll(async () => {
  server = await outlookServer();
});
beforeEach(() => {
  mailbox = [{ id: 'm1', at: started }];
  server.on(`GET ${user}/mailFolders/:id`, () => ({ json: { id: 'sent1' } }));
  server.on(`GET ${user}/messages`, ({ query }) => {
    const { $filter = '', $orderby, $skip = '0', $top = '10' } = query as Record<string, string>;
    const [, since = '1970-01-01'] = /^receivedDateTime ge ([\w.:-]+) and isDraft eq false/.exec($filter) ?? [];
    const matches = mailbox.filter(({ at }) => at * 1_000 >= Date.parse(since)).toSorted((a, b) => a.at - b.at);
    if ($orderby?.endsWith('desc')) matches.reverse();
    const end = Number($skip) + Number($top);
    const value = matches.slice(Number($skip), end).map(({ id, at }) => ({
      ...sample,
      id,
      internetMessageId: `<${id}>`,
      receivedDateTime: new Date(at * 1_000).toISOString(),
    }));
    const next = new URL(`https://graph.microsoft.com${user}/messages`);
    for (const [name, one] of Object.entries({ ...query, $skip: String(end) })) next.searchParams.set(name, String(one));
    return { json: { value, ...(end < matches.length && { '@odata.nextLink': next.href }) } };
  });
});
afterEach(() => server.verify());
afterAll(() => server.close());

const sample = {
  conversationId: 'c1',
  subject: 'Hi',
  bodyPreview: 'Hello',
  from: { emailAddress: { name: 'Ada', address: 'ada@example.com' } },
  toRecipients: [{ emailAddress: { address: 'me@example.com' } }],
  categories: [],
  hasAttachments: true,
};
const credentials = { microsoftOutlookOAuth2Api: { clientId: 'c', clientSecret: 's', oauthTokenData: { access_token: 't' } } };

async function poll(cursor?: JsonObject, parameters: JsonObject = {}, mode: 'manual' | 'trigger' = 'trigger') {
  const polled = {
    parameters,
    http: server.http,
    credentials,
    credentialTypes: baseCredentialTypes,
    mode,
    ...(cursor && { cursor }),
  };
  const { items, cursor: next = {} } = await pollOnce(microsoftOutlookTrigger, polled);
  return { ids: items.map(({ json }) => json['id']), items, cursor: next };
}

const filtersSent = () =>
  server.received.flatMap(({ url }) => {
    const filter = new URL(url, server.origin).searchParams.get('$filter');
    return filter === null ? [] : [filter];
  });

test('the first poll records what exists, and the next returns each new entry once', async () => {
  const initial = await poll();
  expect(initial.ids).toEqual([]);
  mailbox.push({ id: 'm2', at: started + 10 });
  const next = await poll(initial.cursor, example.parameters);
  expect(next.items.map(({ json }) => json)).toEqual(example.outputs?.[0]);
  expect((await poll(next.cursor)).ids).toEqual([]);
});

test('after a first poll of an empty mailbox, the next poll returns the first message', async () => {
  mailbox = [];
  const initial = await poll();
  mailbox.push({ id: 'm1', at: started });
  expect((await poll(initial.cursor)).ids).toEqual(['m1']);
});

test('a message that appears after a message with a later arrival time is returned once', async () => {
  const initial = await poll();
  mailbox.push({ id: 'm3', at: started + 60 });
  const next = await poll(initial.cursor);
  mailbox.push({ id: 'm2', at: started + 30 });
  const last = await poll(next.cursor);
  expect([next.ids, last.ids]).toEqual([['m3'], ['m2']]);
  expect((await poll(last.cursor)).ids).toEqual([]);
});

test('a poll handles a part of many messages, and the next one continues', async () => {
  const initial = await poll();
  for (let id = 0; id < 800; id++) mailbox.push({ id: `n${id}`, at: started + 10 });
  const first = await poll(initial.cursor);
  const second = await poll(first.cursor);
  expect([first.ids.length, second.ids.length, new Set([...first.ids, ...second.ids]).size]).toEqual([500, 300, 800]);
  expect((await poll(second.cursor)).ids).toEqual([]);
});

test('messages that arrived long ago are forgotten', async () => {
  const initial = await poll();
  mailbox.push({ id: 'm2', at: started + 3_600 });
  const { cursor } = await poll(initial.cursor);
  expect(cursor['seen']).toHaveLength(1);
});

test('filters are part of the request; sent messages are omitted', async () => {
  const initial = await poll();
  const filters = {
    readStatus: 'unread',
    sender: "o'neil",
    hasAttachments: true,
    foldersToExclude: ['f1'],
    custom: "a eq 'b'",
  };
  await poll(initial.cursor, { filters });
  expect(filtersSent().at(-1)).toBe(
    [
      `receivedDateTime ge ${new Date(started * 1_000 - 600_000).toISOString()}`,
      'isDraft eq false',
      "parentFolderId ne 'sent1'",
      "(a eq 'b')",
      'hasAttachments eq true',
      "parentFolderId ne 'f1'",
      'isRead eq false',
      "(from/emailAddress/address eq 'o''neil' or from/emailAddress/name eq 'o''neil')",
    ].join(' and '),
  );
  await poll(initial.cursor, { filters: { foldersToInclude: ['f2', 'sent1'] } });
  expect(filtersSent().at(-1)).toMatch(/isDraft eq false and \(parentFolderId eq 'f2' or parentFolderId eq 'sent1'\)$/);
});

test('the selected fields are returned, or all fields', async () => {
  const initial = await poll();
  mailbox.push({ id: 'm2', at: started + 10 });
  const [{ json: chosen } = { json: {} }] = (await poll(initial.cursor, { output: 'fields', fields: ['subject'] })).items;
  expect(chosen).toEqual({ id: 'm2', subject: 'Hi' });
  const [{ json: raw } = { json: {} }] = (await poll(initial.cursor, { output: 'raw' })).items;
  expect(raw).toMatchObject({ ...sample, internetMessageId: '<m2>' });
});

test('attachments are files of the item', async () => {
  const initial = await poll();
  mailbox.push({ id: 'm2', at: started + 10 });
  const { items } = await poll(initial.cursor, { options: { downloadAttachments: true, attachmentsPrefix: 'f' } });
  expect(items[0]?.binary?.['f0']).toMatchObject({ fileName: 'a.txt', mimeType: 'text/plain' });
});

test('a manual run returns the latest message', async () => {
  mailbox.push({ id: 'm2', at: started + 10 });
  expect((await poll(undefined, {}, 'manual')).ids).toEqual(['m2']);
});

test('an error includes text and code', async () => {
  server.on(`GET ${user}/messages`, () => ({ status: 403, json: { error: { code: 'ErrorAccessDenied', message: 'Denied' } } }));
  await expect(poll()).rejects.toThrow('Microsoft Outlook: Denied (ErrorAccessDenied)');
});

test('a rate-limited request is retried', async () => {
  server.on(`GET ${user}/mailFolders/:id`, ({ count }) =>
    count === 1 ? { status: 429, headers: { 'retry-after': '0' } } : { json: { id: 'sent1' } },
  );
  expect((await poll()).cursor).toMatchObject({ sentId: 'sent1' });
});

test('editors list folders', async () => {
  const context: MethodContext = webhookContext({ http: server.http, credentials });
  const matches = await microsoftOutlookTrigger.methods?.loadOptions?.['getFolders']?.(context);
  expect(matches).toEqual([{ name: 'Inbox', value: 'f1' }]);
});
