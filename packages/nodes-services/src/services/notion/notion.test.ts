import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue, MethodContext } from '@sluice/node-sdk';
import { type FakeRun, runForJson, runNode } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { example } from './notion.example.ts';
import { notion } from './notion.ts';
import { database, databaseId, entry, image, notionServer, pageId, paragraph, todo } from './testing/notion-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await notionServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { notionApi: { apiKey: 'secret1' } };
const runOf = (parameters: JsonObject, more: FakeRun = {}): FakeRun => ({
  parameters,
  http: server.http,
  credentials,
  typeVersion: 2.2,
  ...more,
});
const run = (parameters: JsonObject, more: FakeRun = {}) => runForJson(notion, runOf(parameters, more));
const sent = () =>
  server.received.map(({ method, url, body }): JsonValue[] => [
    `${method} ${url.replace('/v1', '')}`,
    body.length > 0 ? JSON.parse(body.toString()) : null,
  ]);
const plain = (content: string) => ({ type: 'text', text: { content } });
const inDatabase = { resource: 'databasePage', databaseId };

const short = {
  id: 'p1',
  icon: '🌱',
  cover: 'https://a.example/c.png',
  name: 'Plan',
  url: 'https://www.notion.so/p1',
  property_name: 'Plan',
  property_due_date: { start: '2026-02-01', end: null, time_zone: null },
  property_status: 'Done',
  property_stage: null,
  property_tags: ['a', 'b'],
  property_notes: 'xy',
  property_is_html: true,
  property_owner: ['a@a.test', 'Bot'],
  property_tasks: ['p2'],
  property_files: ['https://a.example/a', 'https://b.example/b'],
  property_score: 5,
  property_sum: [1],
  property_total: 3,
  property_key: 'T-7',
  property_author: 'Ann',
  property_名前: null,
};

test('the example', async () => {
  const parameters: JsonObject = { ...example.parameters, title: 'Plan' };
  const [first, second] = (parameters['propertiesUi'] as { propertyValues: JsonObject[] }).propertyValues;
  const values = [first ?? {}, { ...second, date: '2026-02-01' }];
  expect(await run({ ...parameters, propertiesUi: { propertyValues: values } })).toEqual([short]);
  expect(sent()).toEqual([
    [
      'POST /pages',
      {
        parent: { database_id: databaseId },
        properties: {
          title: { title: [plain('Plan')] },
          Status: { status: { name: 'In progress' } },
          'Due Date': { date: { start: '2026-02-01' } },
        },
        children: [{ object: 'block', type: 'paragraph', paragraph: { rich_text: [plain('Created by a workflow')] } }],
      },
    ],
  ]);
});

describe('a property', () => {
  const optionId = '11111111-2222-3333-4444-555555555555';
  test.each<[JsonObject, JsonValue]>([
    [{ key: 'A|title', title: 'x' }, { title: [plain('x')] }],
    [{ key: 'A|rich_text', textContent: 5 }, { rich_text: [plain('5')] }],
    [{ key: 'A', type: 'url', urlValue: 'https://a.example' }, { url: 'https://a.example' }],
    [{ key: 'A|url', urlValue: '' }, { url: null }],
    [{ key: 'A|email', emailValue: 'a@a.test' }, { email: 'a@a.test' }],
    [{ key: 'A|phone_number', phoneValue: '1' }, { phone_number: '1' }],
    [{ key: 'A|B|select', selectValue: 'x' }, { select: { name: 'x' } }],
    [{ key: 'A|select', selectValue: optionId }, { select: { id: optionId } }],
    [{ key: 'A|select', selectValue: '' }, { select: null }],
    [{ key: 'A|status', statusValue: 'Done' }, { status: { name: 'Done' } }],
    [{ key: 'A|multi_select', multiSelectValue: 'x, y' }, { multi_select: [{ name: 'x' }, { name: 'y' }] }],
    [{ key: 'A|multi_select', multiSelectValue: ['x'] }, { multi_select: [{ name: 'x' }] }],
    [{ key: 'A|people', peopleValue: ['u1'] }, { people: [{ object: 'user', id: 'u1' }] }],
    [
      { key: 'A|relation', relationValue: ['p1,p2', [`https://www.notion.so/a-${pageId}`]] },
      { relation: [{ id: 'p1' }, { id: 'p2' }, { id: pageId }] },
    ],
    [{ key: 'A|checkbox', checkboxValue: true }, { checkbox: true }],
    [{ key: 'A|checkbox' }, { checkbox: false }],
    [{ key: 'A|number', numberValue: '1.5' }, { number: 1.5 }],
    [{ key: 'A|number', numberValue: '' }, { number: null }],
    [
      { key: 'A|files', fileUrls: { fileUrl: [{ name: 'n', url: 'https://a.example/f' }] } },
      { files: [{ name: 'n', type: 'external', external: { url: 'https://a.example/f' } }] },
    ],
    [{ key: 'A|date', date: '2026-07-01T12:00:00' }, { date: { start: '2026-07-01T12:00:00+02:00' } }],
    [{ key: 'A|date', date: '2026-07-01T10:00:00Z' }, { date: { start: '2026-07-01T12:00:00+02:00' } }],
    [
      { key: 'A|date', date: '2026-07-01T10:00:00Z', timezone: 'America/New_York' },
      { date: { start: '2026-07-01T06:00:00', time_zone: 'America/New_York' } },
    ],
    [
      { key: 'A|date', range: true, includeTime: false, dateStart: '2026-07-01', dateEnd: '2026-07-02' },
      { date: { start: '2026-07-01', end: '2026-07-02' } },
    ],
    [{ key: 'A|date', date: '' }, { date: null }],
  ])('%j is written as %j', async (property, written) => {
    const parameters = { resource: 'databasePage', operation: 'update', pageId: 'p1' };
    const propertiesUi = { propertyValues: [property] };
    await run({ ...parameters, propertiesUi }, { timezone: 'Europe/Berlin' });
    const name = String(property['key']).replace(/\|\w+$/, '');
    expect(sent()).toEqual([['PATCH /pages/p1', { properties: { [name]: written } }]]);
  });

  test('has formatted text', async () => {
    const text: JsonObject[] = [
      { text: 'a', isLink: true, textLink: 'https://a.example', annotationUi: { bold: true } },
      { textType: 'equation', expression: 'x^2' },
      { textType: 'mention', mentionType: 'user', user: 'u1' },
      { textType: 'mention', mentionType: 'page', page: { __rl: true, mode: 'id', value: 'p1' } },
      { textType: 'mention', mentionType: 'date', range: true, dateStart: '2026-01-01', dateEnd: '2026-01-02' },
    ];
    const value = { key: 'A|rich_text', richText: true, text: { text } };
    await run({ ...inDatabase, propertiesUi: { propertyValues: [value] } });
    expect(sent()[0]?.[1]).toMatchObject({
      properties: {
        A: {
          rich_text: [
            { type: 'text', text: { content: 'a', link: { url: 'https://a.example' } }, annotations: { bold: true } },
            { type: 'equation', equation: { expression: 'x^2' } },
            { type: 'mention', mention: { type: 'user', user: { id: 'u1' } } },
            { type: 'mention', mention: { type: 'page', page: { id: 'p1' } } },
            { type: 'mention', mention: { type: 'date', date: { start: '2026-01-01', end: '2026-01-02' } } },
          ],
        },
      },
    });
  });

  test('is unchanged if it is empty and the author enables that', async () => {
    const values = [{ key: 'A|url', urlValue: '', ignoreIfEmpty: true }];
    await run({ ...inDatabase, title: 'x', propertiesUi: { propertyValues: values } });
    expect(sent()[0]?.[1]).toMatchObject({ properties: { title: { title: [plain('x')] } } });
  });

  test.each<[JsonObject, string]>([
    [{ key: 'A' }, 'the property "A" has no type'],
    [{ key: 'A|formula' }, 'properties of the type "formula" cannot be written'],
    [{ key: 'A|number', numberValue: 'many' }, 'the value of "A" is not a number'],
    [{ key: 'A|date', date: 'soon' }, 'the value of "A" is not a date'],
  ])('%j is refused before a request', async (value, message) => {
    const requests = run({ ...inDatabase, propertiesUi: { propertyValues: [value] } });
    await expect(requests).rejects.toMatchObject({ message, itemIndex: 0 });
    expect(server.received).toEqual([]);
  });
});

test('long text is split, but no character is', async () => {
  const textContent = `${'a'.repeat(1_999)}😀${'b'.repeat(2_000)}`;
  await run({ resource: 'block', operation: 'append', blockId: pageId, blockUi: { blockValues: [{ textContent }] } });
  const [, body] = sent()[0] ?? [];
  const { children } = body as { children: [{ paragraph: { rich_text: { text: { content: string } }[] } }] };
  const parts = children[0].paragraph.rich_text.map(({ text }) => text.content);
  expect([parts.length, parts.join('')]).toEqual([3, textContent]);
  expect(parts[1]).toMatch(/^😀/u);
});

describe('blocks', () => {
  test('of every kind are appended', async () => {
    const blockValues: JsonObject[] = [
      { type: 'heading_1', textContent: 'H' },
      { type: 'to_do', textContent: 'T', checked: true },
      { type: 'image', url: 'https://a.example/i.png' },
      { type: 'code', textContent: 'x', language: 'sql' },
      { type: 'divider' },
    ];
    const blockId = { __rl: true, mode: 'url', value: `https://www.notion.so/a/Title-${databaseId}#${pageId}` };
    expect(await run({ resource: 'block', blockId, blockUi: { blockValues } })).toHaveLength(5);
    expect(sent()).toEqual([
      [
        `PATCH /blocks/${pageId}/children`,
        {
          children: [
            { object: 'block', type: 'heading_1', heading_1: { rich_text: [plain('H')] } },
            { object: 'block', type: 'to_do', to_do: { rich_text: [plain('T')], checked: true } },
            { object: 'block', type: 'image', image: { type: 'external', external: { url: 'https://a.example/i.png' } } },
            { object: 'block', type: 'code', code: { rich_text: [plain('x')], language: 'sql' } },
            { object: 'block', type: 'divider', divider: {} },
          ],
        },
      ],
    ]);
  });

  test('above a hundred are sent in further requests', async () => {
    const blockValues = Array.from({ length: 150 }, (_, index) => ({ textContent: `${index}` }));
    await run({ ...inDatabase, title: 'x', blockUi: { blockValues } });
    expect(sent().map(([request, body]) => [request, (body as { children: unknown[] }).children.length])).toEqual([
      ['POST /pages', 100],
      ['PATCH /blocks/p1/children', 50],
    ]);
  });

  test('are listed with nested blocks, simplified', async () => {
    const parameters = { resource: 'block', operation: 'getAll', blockId: pageId, returnAll: true, fetchNestedBlocks: true };
    expect(await run(parameters)).toEqual([
      {
        id: 'b1',
        parent_id: pageId,
        root_id: pageId,
        has_children: true,
        archived: false,
        type: 'paragraph',
        content: 'Hello',
      },
      {
        id: 'b2',
        parent_id: pageId,
        root_id: pageId,
        has_children: false,
        archived: false,
        type: 'to_do',
        content: 'Do it',
        checked: true,
      },
      {
        id: 'b3',
        parent_id: pageId,
        root_id: pageId,
        has_children: false,
        archived: false,
        type: 'image',
        url: 'https://a.example/i.png',
        caption: 'A',
      },
    ]);
    expect(await run({ ...parameters, returnAll: false, limit: 2 })).toHaveLength(2);
  });

  test.each([
    [2.2, { simplifyOutput: false }],
    [2, {}],
    [1, {}],
  ])('keep all data in version %d with %j', async (typeVersion, more) => {
    const parameters = { resource: 'block', operation: 'getAll', blockId: pageId, ...more };
    expect(await run(parameters, { typeVersion })).toMatchObject([paragraph, image]);
    expect(todo.parent).toEqual(paragraph.parent);
  });
});

describe('a query', () => {
  const condition = (values: JsonObject) => ({ filterType: 'manual', filters: { conditions: [values] } });
  const property = (type: string, value: JsonObject) => ({ or: [{ property: 'A', [type]: value }] });
  test.each<[JsonObject, JsonValue]>([
    [{ key: 'A|title', condition: 'equals', titleValue: 'x' }, property('title', { equals: 'x' })],
    [{ key: 'A|rich_text', condition: 'contains', richTextValue: 'x' }, property('rich_text', { contains: 'x' })],
    [{ key: 'A|select', condition: 'equals', selectValue: 'x' }, property('select', { equals: 'x' })],
    [{ key: 'A|multi_select', condition: 'contains', multiSelectValue: 'x' }, property('multi_select', { contains: 'x' })],
    [{ key: 'A|status', condition: 'does_not_equal', statusValue: 'x' }, property('status', { does_not_equal: 'x' })],
    [{ key: 'A|url', condition: 'is_empty' }, property('url', { is_empty: true })],
    [{ key: 'A|phone_number', condition: 'equals', phoneNumberValue: '1' }, property('phone_number', { equals: '1' })],
    [{ key: 'A|checkbox', condition: 'equals', checkboxValue: true }, property('checkbox', { equals: true })],
    [{ key: 'A|checkbox', condition: 'equals' }, property('checkbox', { equals: false })],
    [{ key: 'A|number', condition: 'greater_than', numberValue: '5' }, property('number', { greater_than: 5 })],
    [{ key: 'A|date', condition: 'after', date: '2026-01-31' }, property('date', { after: '2026-01-31' })],
    [
      { key: 'A|date', condition: 'after', date: '2026-01-31T12:00:00' },
      property('date', { after: '2026-01-31T12:00:00+00:00' }),
    ],
    [{ key: 'A|date', condition: 'past_week' }, property('date', { past_week: {} })],
    [{ key: 'A|created_by', condition: 'contains', createdByValue: 'u1' }, property('people', { contains: 'u1' })],
    [{ key: 'A|relation', condition: 'contains', relationValue: 'p1' }, property('relation', { contains: 'p1' })],
    [
      { key: 'A|created_time', condition: 'on_or_after', createdTimeValue: '2026-01-31' },
      { or: [{ timestamp: 'created_time', created_time: { on_or_after: '2026-01-31' } }] },
    ],
    [
      { key: 'A|formula', returnType: 'number', condition: 'equals', numberValue: 5 },
      property('formula', { number: { equals: 5 } }),
    ],
    [{ key: 'A|formula', condition: 'equals', textValue: 'x' }, property('formula', { string: { equals: 'x' } })],
  ])('has the condition %j', async (values, filter) => {
    expect(await run({ ...inDatabase, operation: 'getAll', ...condition(values) })).toEqual([short]);
    expect(sent()).toEqual([[`POST /databases/${databaseId}/query`, { filter, page_size: 50 }]]);
  });

  test.each<[JsonObject, JsonObject, number?]>([
    [
      {
        filterType: 'manual',
        matchType: 'allFilters',
        filters: { conditions: [{ key: 'A|url', condition: 'is_empty' }] },
        options: { sort: { sortValue: [{ key: 'A|date', direction: 'descending' }] } },
      },
      { filter: { and: [{ property: 'A', url: { is_empty: true } }] }, sorts: [{ property: 'A', direction: 'descending' }] },
    ],
    [
      { filterType: 'json', filterJson: '{"property":"A","url":{"is_empty":true}}' },
      { filter: { property: 'A', url: { is_empty: true } } },
    ],
    [
      { options: { sort: { sortValue: [{ timestamp: true, key: 'created_time' }] } } },
      { sorts: [{ timestamp: 'created_time', direction: 'ascending' }] },
    ],
    [
      { options: { filter: { singleCondition: { key: 'A|url', condition: 'is_empty' } } } },
      { filter: { property: 'A', url: { is_empty: true } } },
      1,
    ],
    [
      { options: { filter: { multipleCondition: { condition: { or: [{ key: 'A|url', condition: 'is_empty' }] } } } } },
      { filter: { or: [{ property: 'A', url: { is_empty: true } }] } },
      1,
    ],
  ])('%j', async (parameters, query, typeVersion = 2) => {
    await run({ ...inDatabase, operation: 'getAll', simple: false, ...parameters }, { typeVersion });
    expect(sent()[0]?.[1]).toEqual({ ...query, page_size: 50 });
  });

  test('is read to its end, or to the limit', async () => {
    server.on('POST /v1/databases/:id/query', ({ body }) => ({
      json:
        (body as JsonObject)['start_cursor'] === 'c2'
          ? { results: [entry], has_more: false, next_cursor: null }
          : { results: [entry], has_more: true, next_cursor: 'c2' },
    }));
    expect(await run({ ...inDatabase, operation: 'getAll', returnAll: true })).toHaveLength(2);
    expect(await run({ ...inDatabase, operation: 'getAll', limit: 1 })).toHaveLength(1);
    expect(server.received).toHaveLength(3);
  });
});

test.each<[JsonObject, JsonValue[]]>([
  [
    { resource: 'databasePage', operation: 'get', pageId: `https://www.notion.so/a?v=1&p=${pageId}` },
    [`GET /pages/${pageId}`, null],
  ],
  [{ operation: 'archive', pageId: 'p1' }, ['PATCH /pages/p1', { archived: true }]],
  [
    { pageId: `https://notion.so/x/Deadbeef-${pageId}?pvs=4`, title: 'T', options: { icon: '🌱' } },
    [
      'POST /pages',
      {
        parent: { page_id: pageId },
        properties: { title: { title: [plain('T')] } },
        icon: { type: 'emoji', emoji: '🌱' },
      },
    ],
  ],
  [
    { pageId: 'p8', title: 'T', options: { iconType: 'file', icon: 'https://a.example/i.png' } },
    [
      'POST /pages',
      {
        parent: { page_id: 'p8' },
        properties: { title: { title: [plain('T')] } },
        icon: { type: 'external', external: { url: 'https://a.example/i.png' } },
      },
    ],
  ],
  [
    {
      operation: 'search',
      text: 'x',
      options: {
        filter: { filters: [{ property: 'object', value: 'page' }] },
        sort: { sortValue: { direction: 'descending', timestamp: 'last_edited_time' } },
      },
    },
    [
      'POST /search',
      {
        query: 'x',
        filter: { property: 'object', value: 'page' },
        sort: { direction: 'descending', timestamp: 'last_edited_time' },
        page_size: 50,
      },
    ],
  ],
  [{ resource: 'database', databaseId }, [`GET /databases/${databaseId}`, null]],
  [
    { resource: 'database', operation: 'getAll', returnAll: true },
    ['POST /search', { filter: { property: 'object', value: 'database' }, page_size: 100 }],
  ],
  [
    { resource: 'database', operation: 'search', text: 'x', limit: 5 },
    ['POST /search', { query: 'x', filter: { property: 'object', value: 'database' }, page_size: 5 }],
  ],
  [{ resource: 'user', userId: 'u1' }, ['GET /users/u1', null]],
  [{ resource: 'user', operation: 'getAll' }, ['GET /users?page_size=50', null]],
])('%j sends one request', async (parameters, request) => {
  await run(parameters);
  expect(sent()).toEqual([request]);
});

test('databases, and pages outside a database, are simplified to their title', async () => {
  expect(await run({ operation: 'search' })).toEqual([
    { id: databaseId, icon: null, cover: null, name: 'Plans', url: 'https://www.notion.so/db' },
    { id: 'p9', icon: null, cover: null, name: 'Home', url: 'https://www.notion.so/p1' },
  ]);
});

test('version 1 keeps property names, and gets pages', async () => {
  const [item] = await run({ resource: 'page', operation: 'get', pageId: 'p1' }, { typeVersion: 1 });
  expect(item).toMatchObject({ id: 'p1', Name: 'Plan', 'Due Date': { start: '2026-02-01' }, Status: 'Done' });
  expect(await run({ resource: 'database', databaseId }, { typeVersion: 1 })).toEqual([{ id: databaseId, title: 'Plans' }]);
});

test('all data is returned if the author enables it', async () => {
  expect(await run({ resource: 'database', databaseId, simple: false })).toEqual([database]);
});

test('an error includes the code and text from Notion, and a hint', async () => {
  server.on('GET /v1/databases/:id', () => ({
    status: 404,
    json: { object: 'error', status: 404, code: 'object_not_found', message: 'Could not find database with ID: x.' },
  }));
  await expect(runNode(notion, runOf({ resource: 'database', databaseId: 'x' }))).rejects.toMatchObject({
    message: 'Notion: Could not find database with ID: x. (object_not_found)',
    description: expect.stringContaining('share the page or database with the integration'),
  });
});

test('only the failed item has an error if the node continues', async () => {
  server.on('GET /v1/users/:id', ({ count }) =>
    count === 1 ? { status: 400, json: { code: 'validation_error', message: 'No' } } : { json: { id: 'u1' } },
  );
  const output = await run({ resource: 'user', userId: 'u1' }, { json: [{}, {}], continueOnFail: true });
  expect(output).toEqual([{ error: 'Notion: No (validation_error)' }, { id: 'u1' }]);
});

test.each([
  [429, 'rate_limited', { 'retry-after': '0' }],
  [409, 'conflict_error', { 'retry-after': '0' }],
])('a request that Notion answers with %d is sent again', async (status, code, headers) => {
  server.on('PATCH /v1/pages/:id', ({ count }) =>
    count === 1 ? { status, headers, json: { code, message: 'Later' } } : { json: entry },
  );
  expect(await run({ operation: 'archive', pageId: 'p1' })).toEqual([short]);
});

test('databases and properties can be chosen', async () => {
  const contextOf = (parameters: JsonObject): MethodContext =>
    webhookContext({ http: server.http, credentials, parameters, typeVersion: 2.2 });
  const { listSearch, loadOptions } = notion.methods ?? {};
  expect(await listSearch?.['getDatabases']?.(contextOf({}), 'pl')).toMatchObject({
    results: [{ name: 'Plans', value: databaseId }, { name: 'Home' }],
  });
  const properties = [
    { name: 'Name', value: 'Name|title' },
    { name: 'Due Date', value: 'Due Date|date' },
  ];
  expect(await loadOptions?.['getProperties']?.(contextOf({ databaseId: { __rl: true, value: databaseId } }))).toEqual(
    properties,
  );
  expect(await loadOptions?.['getProperties']?.(contextOf({ pageId: 'p1' }))).toEqual(properties);
});
