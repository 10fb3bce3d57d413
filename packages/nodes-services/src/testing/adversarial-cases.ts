import type { JsonObject } from '@sluice/node-sdk';

/** A run of a type against a service that answers every request in the same way. */
export interface Attack {
  name: string;
  parameters: JsonObject;
  /** JSON of the items. Default: one empty item. */
  items?: JsonObject[];
  /** State that an earlier poll kept. */
  cursor?: JsonObject;
  /** The body of the response to a request for a path. */
  answer(path: string): string;
}

const mapped = { mappingMode: 'autoMapInputData', value: null, matchingColumns: ['a'], schema: [] };
const located = (value: string, mode = 'id') => ({ __rl: true, mode, value });
const accepted = () => '{"ok":true,"result":{},"id":"1"}';
const manyObjects = (count: number) => `[${'{},'.repeat(count)}{}]`;
const large = (): JsonObject => ({ a: 'x', list: Array.from({ length: 900_000 }, () => ({})) });

const longQuestion = (recipient: JsonObject): Attack => ({
  name: 'a long question',
  parameters: { resource: 'message', operation: 'sendAndWait', message: '<a&'.repeat(5_000_000), ...recipient },
  answer: accepted,
});

const sheets = '{"sheets":[{"properties":{"sheetId":1,"title":"T"}}]}';
const sheetParameters = { documentId: located('d'), sheetName: located('T', 'name'), columns: mapped, options: {} };
const sheet = (operation: string, name: string, values: string, items?: JsonObject[]): Attack => ({
  name: `${operation}: ${name}`,
  parameters: { ...sheetParameters, operation },
  ...(items && { items }),
  answer: (path) => {
    if (!path.includes('/values')) return sheets;
    return path.includes(':batchGet') ? `{"valueRanges":[{"values":${values}}]}` : `{"values":${values}}`;
  },
});
const table = { base: located('app1'), table: located('T', 'name') };

/** Attacks that the shape of a service allows, besides those on every operation. */
export const attacks: Readonly<Record<string, () => readonly Attack[]>> = {
  airtable: () => [
    {
      name: 'a large record',
      parameters: { ...table, operation: 'create', columns: mapped },
      items: [large()],
      answer: accepted,
    },
    {
      name: 'a long list for a column',
      parameters: {
        ...table,
        operation: 'create',
        columns: { mappingMode: 'defineBelow', value: { a: manyObjects(4_000_000) }, schema: [{ id: 'a', type: 'array' }] },
      },
      answer: accepted,
    },
  ],
  'airtable-trigger': () => [
    {
      name: 'many new records',
      parameters: { baseId: 'app1', tableId: 'T', triggerField: 'at', additionalFields: {} },
      cursor: { at: 1, ids: [] },
      answer: () => `{"records":[${newRecords(280_000).join()}]}`,
    },
  ],
  'click-up': () => [
    {
      name: 'many assignees',
      parameters: { operation: 'create', list: 'l', name: 'a', additionalFields: { assignees: '1,'.repeat(100_000) } },
      answer: accepted,
    },
    {
      name: 'a long date',
      parameters: { operation: 'create', list: 'l', name: 'a', additionalFields: { dueDate: '1'.repeat(15_000_000) } },
      answer: accepted,
    },
  ],
  discord: (): Attack[] => [
    {
      name: 'many embeds',
      parameters: {
        resource: 'message',
        channelId: '1',
        embeds: { values: Array.from({ length: 20_000 }, () => ({ title: 'x'.repeat(200), color: '#ff8800' })) },
      },
      answer: accepted,
    },
    {
      name: 'a long embed',
      parameters: {
        resource: 'message',
        channelId: '1',
        content: 'x'.repeat(15_000_000),
        embeds: { values: [{ inputMethod: 'json', json: `{"fields":${manyObjects(4_000_000)}}` }] },
      },
      answer: accepted,
    },
  ],
  'facebook-graph-api': () => [
    {
      name: 'a long path',
      parameters: { node: '/ä'.repeat(5_000_000), options: { queryParametersJson: '' } },
      answer: accepted,
    },
    {
      name: 'long query parameters',
      parameters: { node: 'me', options: { queryParametersJson: JSON.stringify({ a: 'ä'.repeat(900_000) }) } },
      answer: accepted,
    },
  ],
  github: () => [
    {
      name: 'a large file',
      parameters: {
        resource: 'file',
        operation: 'create',
        owner: 'a',
        repository: 'b',
        filePath: 'c',
        fileContent: 'ä'.repeat(15_000_000),
        commitMessage: 'd',
      },
      answer: accepted,
    },
    {
      name: 'a long path',
      parameters: { resource: 'file', operation: 'list', owner: 'a', repository: 'b', filePath: '/ä'.repeat(5_000_000) },
      answer: accepted,
    },
  ],
  // Its requests come by the webhook, which bounds them.
  'github-trigger': () => [],
  gmail: () => [longQuestion({ sendTo: 'a@b.example', subject: 'x' })],
  'gmail-trigger': (): Attack[] => [
    {
      name: 'a long history',
      parameters: { simple: true, filters: {} },
      cursor: { historyId: '1', latestMs: 1, pending: [] },
      answer: (path) =>
        path.endsWith('/history') ? `{"history":[${history(200_000)}]}` : '{"internalDate":"1","messages":[]}',
    },
  ],
  'google-calendar': (): Attack[] => [
    {
      name: 'many guests',
      parameters: { calendar: 'c', additionalFields: { attendees: Array.from({ length: 200_000 }, () => 'a@x') } },
      answer: accepted,
    },
  ],
  'google-calendar-trigger': (): Attack[] => [
    {
      name: 'many new events',
      parameters: { calendarId: 'c', triggerOn: 'eventCreated', options: { matchTerm: 'x' } },
      cursor: { syncToken: 's', updatedMs: 1, sinceMs: 1, created: [] },
      answer: () => `{"items":[${calendarEvents(100_000)}],"nextSyncToken":"t"}`,
    },
    {
      name: 'many started events',
      parameters: { calendarId: 'c', triggerOn: 'eventStarted', options: {} },
      cursor: { atMs: 1, known: [] },
      answer: () => `{"items":[${calendarEvents(100_000)}]}`,
    },
  ],
  'google-docs': (): Attack[] => [
    {
      name: 'a long document',
      parameters: { operation: 'get', documentURL: 'd' },
      answer: () => `{"body":{"content":[${paragraphs(200_000)}]}}`,
    },
    {
      name: 'many actions',
      parameters: {
        operation: 'update',
        documentURL: 'd',
        actionsUi: { actionFields: Array.from({ length: 100_000 }, () => ({ action: 'insert', text: 'x' })) },
      },
      answer: accepted,
    },
  ],
  'google-drive': (): Attack[] => [
    {
      name: 'a large text',
      parameters: { operation: 'createFromText', content: 'ä'.repeat(30_000_000), options: {} },
      answer: () => '{"id":"1"}',
    },
    {
      name: 'many types',
      parameters: {
        resource: 'fileFolder',
        operation: 'search',
        filter: { fileTypes: Array.from({ length: 200_000 }, (_, id) => `application/x-${id}`) },
      },
      answer: () => '{"files":[]}',
    },
    {
      name: 'many fields',
      parameters: { operation: 'update', fileId: 'f', options: { fields: 'ä,'.repeat(2_000_000) } },
      answer: accepted,
    },
  ],
  'google-drive-trigger': (): Attack[] => [
    {
      name: 'many changes',
      parameters: { triggerOn: 'specificFolder', folderToWatch: 'f', event: 'fileUpdated', options: {} },
      cursor: { pageToken: '1', folderId: 'f', driveId: '', files: [] },
      answer: () => `{"changes":[${driveChanges(200_000)}]}`,
    },
  ],
  'google-sheets': () => [
    sheet('read', 'one name for all columns', `[[${'"a",'.repeat(18_000)}"a"],["x"]]`),
    sheet('read', 'many rows for many items', `[["a"]${',["x"]'.repeat(100_000)}]`, rows(1_000)),
    sheet('read', 'many empty rows', `[["a"]${',[""]'.repeat(1_500_000)}]`),
    sheet('append', 'a column for each item', '[["a"]]', columns(30_000)),
    sheet('append', 'a large item', '[["a"]]', [large()]),
    sheet('update', 'many rows', `[["a"]${',["x"]'.repeat(500_000)}]`, rows(50_000)),
    sheet('appendOrUpdate', 'many rows', `[["a"]${',["x"]'.repeat(500_000)}]`, columns(10_000)),
  ],
  'google-sheets-trigger': (): Attack[] => [
    {
      name: 'many new rows',
      parameters: { documentId: 'd', sheetName: located('T', 'name'), event: 'anyUpdate', options: {} },
      cursor: { marks: Array.from({ length: 60_000 }, (_, id) => `mark${id}`) },
      answer: (path) => (path.includes('/values') ? `{"values":[["a"]${',["x"]'.repeat(60_000)}]}` : sheets),
    },
    {
      name: 'too many rows',
      parameters: { documentId: 'd', sheetName: located('T', 'name'), event: 'anyUpdate', options: {} },
      cursor: { marks: [] },
      answer: (path) => (path.includes('/values') ? `{"values":[["a"]${',["x"]'.repeat(1_500_000)}]}` : sheets),
    },
  ],
  'google-translate': (): Attack[] => [
    {
      name: 'a large text',
      parameters: { text: 'ä'.repeat(15_000_000), translateTo: 'de' },
      answer: () => '{"data":{"translations":[{"translatedText":"x"}]}}',
    },
  ],
  hubspot: () => [
    {
      name: 'many custom properties',
      parameters: {
        resource: 'deal',
        operation: 'create',
        stage: 'a',
        additionalFields: {
          customPropertiesUi: {
            customPropertiesValues: Array.from({ length: 100_000 }, (_, id) => ({ property: `p${id}`, value: 'x' })),
          },
        },
      },
      answer: accepted,
    },
  ],
  jira: () => [
    {
      name: 'many lines',
      parameters: { resource: 'issueComment', operation: 'add', issueKey: 'A-1', comment: 'x\n'.repeat(16_000) },
      answer: accepted,
    },
  ],
  // Its requests come by the webhook, which bounds them.
  'jot-form-trigger': () => [],
  n8n: () => [
    {
      name: 'a large workflow',
      parameters: { operation: 'create', workflowObject: { name: 'A', nodes: large()['list'] ?? [], connections: {} } },
      answer: accepted,
    },
  ],
  'noco-db': () => [
    {
      name: 'a large row',
      parameters: { operation: 'create', projectId: 'p', table: 't', dataToSend: 'autoMapInputData', inputsToIgnore: 'x' },
      items: [large()],
      answer: accepted,
    },
  ],
  notion: (): Attack[] => [
    {
      name: 'a long text',
      parameters: {
        resource: 'block',
        operation: 'append',
        blockId: 'p1',
        blockUi: { blockValues: [{ textContent: '😀'.repeat(8_000_000) }] },
      },
      answer: accepted,
    },
    {
      name: 'many properties of many pages',
      parameters: { resource: 'databasePage', operation: 'getAll', databaseId: 'd1', returnAll: true },
      answer: () => `{"results":[${notionPages(20_000)}]}`,
    },
    {
      name: 'a page with many properties',
      parameters: { resource: 'databasePage', operation: 'get', pageId: 'p1' },
      answer: () => notionPage(200_000),
    },
  ],
  'notion-trigger': () => [
    {
      name: 'many new pages',
      parameters: { event: 'pageAddedToDatabase', databaseId: 'd1' },
      cursor: { at: 1, ids: {} },
      answer: () => `{"results":[${notionPages(20_000)}]}`,
    },
  ],
  'open-ai': () => [
    {
      name: 'many answers',
      parameters: { resource: 'chat', prompt: 'a' },
      answer: () => `{"choices":${manyObjects(1_000_000)}}`,
    },
  ],
  perplexity: () => [
    {
      name: 'many answers',
      parameters: { messages: { message: [{ content: 'a' }] }, simplify: true },
      answer: () => `{"choices":${manyObjects(1_000_000)},"citations":${manyObjects(1_000_000)}}`,
    },
  ],
  'linked-in': (): Attack[] => [
    {
      name: 'a long text',
      parameters: { resource: 'post', operation: 'create', person: 'p', text: '()'.repeat(7_500_000), additionalFields: {} },
      answer: accepted,
    },
  ],
  'microsoft-one-drive': (): Attack[] => [
    {
      name: 'a long text',
      parameters: { resource: 'file', operation: 'upload', fileName: 'x', fileContent: 'ä'.repeat(15_000_000) },
      answer: accepted,
    },
  ],
  'microsoft-outlook': (): Attack[] => [
    longQuestion({ toRecipients: 'a@b.example', subject: 'x' }),
    {
      name: 'many recipients',
      parameters: {
        resource: 'message',
        operation: 'send',
        toRecipients: 'a@b.example,'.repeat(1_000_000),
        subject: 'x',
        bodyContent: 'x',
      },
      answer: accepted,
    },
  ],
  'microsoft-teams': (): Attack[] => [
    {
      name: 'a long question',
      parameters: { resource: 'chatMessage', operation: 'sendAndWait', chatId: 'x', message: '<a&'.repeat(5_000_000) },
      answer: accepted,
    },
    {
      name: 'a long ID',
      parameters: { resource: 'chatMessage', operation: 'create', chatId: '%a'.repeat(5_000_000), message: 'x' },
      answer: accepted,
    },
  ],
  reddit: (): Attack[] => [
    {
      name: 'many comments',
      parameters: { resource: 'postComment', operation: 'getAll', subreddit: 'x', postId: 'x' },
      answer: () => `[{},{"data":{"children":${manyObjects(500_000)}}}]`,
    },
  ],
  slack: () => [longQuestion({ select: 'channel', channelId: 'C1' })],
  // Its requests come by the webhook, which bounds them.
  'slack-trigger': () => [],
  supabase: () => [
    {
      name: 'a large row',
      parameters: { operation: 'create', tableId: 't', dataToSend: 'autoMapInputData', inputsToIgnore: 'x' },
      items: [large()],
      answer: accepted,
    },
    {
      name: 'many conditions',
      parameters: {
        operation: 'delete',
        tableId: 't',
        filters: { conditions: Array.from({ length: 100_000 }, () => ({ keyName: 'a', condition: 'eq', keyValue: '"' })) },
      },
      answer: accepted,
    },
  ],
  telegram: () => [
    {
      name: 'a large keyboard',
      parameters: {
        resource: 'message',
        operation: 'sendMessage',
        chatId: '1',
        text: 'x'.repeat(15_000_000),
        replyMarkup: 'inlineKeyboard',
        inlineKeyboard: {
          rows: Array.from({ length: 50_000 }, () => ({ row: { buttons: [{ text: 'a', additionalFields: {} }] } })),
        },
      },
      answer: accepted,
    },
  ],
  // Its requests come by the webhook, which bounds them.
  'telegram-trigger': () => [],
  trello: () => [
    {
      name: 'a long text',
      parameters: { operation: 'create', listId: 'l', name: 'a', description: 'ä'.repeat(15_000_000), additionalFields: {} },
      answer: accepted,
    },
  ],
  twilio: () => [
    {
      name: 'a long text to say',
      parameters: { resource: 'call', operation: 'make', from: '+1555', to: '+1555', message: '<&>'.repeat(1_000) },
      answer: accepted,
    },
  ],
  // Its requests come by the webhook, which bounds them.
  'typeform-trigger': () => [],
  twitter: (): Attack[] => [
    {
      name: 'many media',
      parameters: {
        resource: 'tweet',
        operation: 'create',
        text: 'x',
        additionalFields: { attachments: '1,'.repeat(7_000_000) },
      },
      answer: accepted,
    },
  ],
  'whats-app': (): Attack[] => [
    {
      name: 'many components of a template',
      parameters: {
        resource: 'message',
        operation: 'sendTemplate',
        phoneNumberId: '1',
        recipientPhoneNumber: '1',
        template: 't|en',
        textBody: '',
        components: {
          component: Array.from({ length: 20_000 }, () => ({
            type: 'body',
            bodyParameters: { parameter: [{ text: 'x'.repeat(500) }] },
          })),
        },
      },
      answer: accepted,
    },
    {
      name: 'a long number',
      parameters: {
        resource: 'message',
        operation: 'send',
        phoneNumberId: '1',
        recipientPhoneNumber: `1${'-'.repeat(15_000_000)}`,
        template: '',
        textBody: 'x',
        components: { component: [] },
      },
      answer: accepted,
    },
  ],
  // Its requests come by the webhook, which bounds them.
  'whats-app-trigger': () => [],
  wordpress: () => [
    {
      name: 'many members',
      parameters: {
        resource: 'post',
        operation: 'create',
        title: 'A',
        additionalFields: Object.fromEntries(Array.from({ length: 1_000 }, (_, id) => [`fieldName${id}`, 'x'.repeat(10_000)])),
      },
      answer: accepted,
    },
  ],
  'you-tube': (): Attack[] => [
    {
      name: 'many tags',
      parameters: {
        resource: 'video',
        operation: 'update',
        videoId: 'v',
        title: 'T',
        categoryId: '1',
        updateFields: { tags: Array.from({ length: 200_000 }, (_, id) => `tag ${id}`) },
      },
      answer: () => '{"items":[{"id":"v"}]}',
    },
  ],
  zendesk: () => [
    {
      name: 'many custom fields',
      parameters: {
        operation: 'create',
        description: 'a',
        additionalFields: {
          customFieldsUi: { customFieldsValues: Array.from({ length: 100_000 }, (_, id) => ({ id, value: 'x' })) },
        },
      },
      answer: accepted,
    },
  ],
};

function rows(count: number): JsonObject[] {
  return Array.from({ length: count }, () => ({ a: 'x', b: 1 }));
}

function history(count: number): string {
  return Array.from({ length: count }, (_, id) => `{"id":"${id}","messagesAdded":[{"message":{"id":"m${id}"}}]}`).join();
}

function notionPage(properties: number, id = 'p1'): string {
  const values = Array.from(
    { length: properties },
    (_, index) => `"Aa ${index}":{"type":"rich_text","rich_text":[{"plain_text":"x"}]}`,
  );
  const times = '"created_time":"2026-01-01T10:00:00.000Z","last_edited_time":"2026-01-01T10:00:00.000Z"';
  return `{"object":"page","id":"${id}",${times},"parent":{"type":"database_id"},"properties":{${values.join()}}}`;
}

const notionPages = (count: number): string => Array.from({ length: count }, (_, id) => notionPage(10, `p${id}`)).join();

function driveChanges(count: number): string {
  return Array.from({ length: count }, (_, id) => `{"fileId":"f${id}","file":{"id":"f${id}","parents":["f"]}}`).join();
}

function calendarEvents(count: number): string {
  const at = new Date().toISOString();
  const event = (id: number) => `{"id":"e${id}","created":"${at}","updated":"${at}","start":{"dateTime":"${at}"}}`;
  return Array.from({ length: count }, (_, id) => event(id)).join();
}

function paragraphs(count: number): string {
  return Array.from({ length: count }, () => '{"paragraph":{"elements":[{"textRun":{"content":"x"}}]}}').join();
}

function newRecords(count: number): string[] {
  return Array.from(
    { length: count },
    (_, id) => `{"id":"${id}","fields":{"at":"${new Date((id * 7_919_000) % 1e12).toISOString()}"}}`,
  );
}

function columns(count: number): JsonObject[] {
  return Array.from({ length: count }, (_, id) => ({ a: `x${id}`, [`field ${id}`]: id }));
}

/** Members in which services return lists. */
const listMembers = [
  'bases',
  'channels',
  'comments',
  'companies',
  'contacts',
  'data',
  'deals',
  'drafts',
  'drives',
  'files',
  'folders',
  'issues',
  'items',
  'labels',
  'list',
  'lists',
  'members',
  'messages',
  'objects',
  'organizations',
  'records',
  'replies',
  'result',
  'results',
  'tables',
  'tasks',
  'threads',
  'users',
  'values',
  'workflows',
];

/** Responses to any request: lists in every member, a large object, deep nesting, JSON that breaks off, and text. */
export const answers: Readonly<Record<string, () => string>> = {
  lists: () => `{"ok":true,"id":"1",${listMembers.map((name) => `"${name}":${manyObjects(200_000)}`).join()}}`,
  'deep JSON': () => `{"ok":true,"result":${'[{"a":'.repeat(400_000)}`,
  'a long list': () => manyObjects(4_000_000),
  'broken JSON': () => `${manyObjects(4_000_000)}}`,
  text: () => 'a'.repeat(12_000_000),
};
