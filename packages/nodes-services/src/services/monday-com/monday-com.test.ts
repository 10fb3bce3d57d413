import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, MethodContext } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { example } from './monday-com.example.ts';
import { mondayCom } from './monday-com.ts';
import { mondayComServer } from './testing/monday-com-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await mondayComServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = {
  mondayComApi: { apiToken: 'token1' },
  mondayComOAuth2Api: { clientId: 'c', clientSecret: 's', oauthTokenData: { access_token: 't' } },
};
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(mondayCom, { parameters, http: server.http, credentials, ...more });
const sent = () =>
  server.received.map(({ body }): [string, JsonObject] => {
    const { query, variables } = JSON.parse(body.toString()) as { query: string; variables: JsonObject };
    return [query, variables];
  });

const boardFields = '{ id name description state board_folder_id board_kind owners { id } }';
const itemFields =
  'id name created_at state group { id title } column_values { id text type value column { title archived description settings_str } }';
const page = `{ cursor items { ${itemFields} } }`;
const item = {
  id: '7',
  name: 'Plan',
  column_values: [
    {
      id: 'status',
      text: 'Done',
      type: 'status',
      value: '{"index":1}',
      title: 'Status',
      archived: false,
      additional_info: '{}',
    },
  ],
};
const inBoard = { boardId: 42 };
const ofItem = { resource: 'boardItem', itemId: 7 };
const createItem =
  'mutation ($boardId: ID!, $groupId: String!, $itemName: String!, $columnValues: JSON) { create_item (board_id: $boardId, group_id: $groupId, item_name: $itemName, column_values: $columnValues) { id } }';
const changeValue =
  'mutation ($boardId: ID!, $itemId: ID!, $columnId: String!, $value: JSON!) { change_column_value (board_id: $boardId, item_id: $itemId, column_id: $columnId, value: $value) { id } }';

test('the example', async () => {
  expect(await run({ ...example.parameters, name: 'Plan' })).toEqual(example.outputs?.[0]);
  const columnValues = '{"status":{"label":"Done"}}';
  expect(sent()).toEqual([[createItem, { boardId: '42', groupId: 'topics', itemName: 'Plan', columnValues }]]);
});

test.each<[JsonObject, string, JsonObject, JsonObject[]]>([
  [
    { operation: 'archive', ...inBoard },
    'mutation ($id: ID!) { archive_board (board_id: $id) { id } }',
    { id: '42' },
    [{ id: '42' }],
  ],
  [
    { name: 'B', kind: 'public', additionalFields: { templateId: 5 } },
    'mutation ($name: String!, $kind: BoardKind!, $templateId: ID) { create_board (board_name: $name, board_kind: $kind, template_id: $templateId) { id } }',
    { name: 'B', kind: 'public', templateId: '5' },
    [{ id: '43' }],
  ],
  [
    { operation: 'get', ...inBoard },
    `query ($ids: [ID!]) { boards (ids: $ids) ${boardFields} }`,
    { ids: ['42'] },
    [expect.objectContaining({ name: 'Work' }) as never],
  ],
  [
    { operation: 'getAll', limit: 1 },
    `query ($page: Int, $limit: Int) { boards (page: $page, limit: $limit) ${boardFields} }`,
    { page: 1, limit: 1 },
    [expect.objectContaining({ name: 'Work' }) as never],
  ],
  [
    { resource: 'boardColumn', ...inBoard, title: 'T', columnType: 'longText', additionalFields: { defaults: '{"a": 1}' } },
    'mutation ($boardId: ID!, $title: String!, $columnType: ColumnType!, $defaults: JSON) { create_column (board_id: $boardId, title: $title, column_type: $columnType, defaults: $defaults) { id } }',
    { boardId: '42', title: 'T', columnType: 'long_text', defaults: '{"a":1}' },
    [{ id: 'text1' }],
  ],
  [
    { resource: 'boardColumn', operation: 'getAll', ...inBoard },
    'query ($ids: [ID!]) { boards (ids: $ids) { columns { id title type settings_str archived } } }',
    { ids: ['42'] },
    [{ id: 'status', title: 'Status' }],
  ],
  [
    { resource: 'boardGroup', ...inBoard, name: 'G' },
    'mutation ($boardId: ID!, $name: String!) { create_group (board_id: $boardId, group_name: $name) { id } }',
    { boardId: '42', name: 'G' },
    [{ id: 'g2' }],
  ],
  [
    { resource: 'boardGroup', operation: 'delete', ...inBoard, groupId: 'topics' },
    'mutation ($boardId: ID!, $groupId: String!) { delete_group (board_id: $boardId, group_id: $groupId) { id deleted } }',
    { boardId: '42', groupId: 'topics' },
    [{ id: 'topics', deleted: true }],
  ],
  [
    { resource: 'boardGroup', operation: 'getAll', ...inBoard },
    'query ($ids: [ID!]) { boards (ids: $ids) { groups { id title color position archived } } }',
    { ids: ['42'] },
    [expect.objectContaining({ id: 'topics' }) as never],
  ],
  [
    { ...ofItem, operation: 'addUpdate', value: 'Hi' },
    'mutation ($itemId: ID!, $value: String!) { create_update (item_id: $itemId, body: $value) { id } }',
    { itemId: '7', value: 'Hi' },
    [{ id: 'u1' }],
  ],
  [
    { ...ofItem, ...inBoard, operation: 'changeColumnValue', columnId: 'status', value: '{"label": "Done"}' },
    changeValue,
    { boardId: '42', itemId: '7', columnId: 'status', value: '{"label":"Done"}' },
    [{ id: '7' }],
  ],
  [
    { ...ofItem, ...inBoard, operation: 'changeColumnValue', columnId: 'text', value: 'Done "now"' },
    changeValue,
    { boardId: '42', itemId: '7', columnId: 'text', value: '"Done \\"now\\""' },
    [{ id: '7' }],
  ],
  [
    { ...ofItem, ...inBoard, operation: 'changeMultipleColumnValues', columnValues: { text: 'x' } },
    'mutation ($boardId: ID!, $itemId: ID!, $columnValues: JSON!) { change_multiple_column_values (board_id: $boardId, item_id: $itemId, column_values: $columnValues) { id } }',
    { boardId: '42', itemId: '7', columnValues: '{"text":"x"}' },
    [{ id: '7' }],
  ],
  [
    { ...ofItem, operation: 'delete' },
    'mutation ($itemId: ID!) { delete_item (item_id: $itemId) { id } }',
    { itemId: '7' },
    [{ id: '7' }],
  ],
  [
    { ...ofItem, operation: 'get', itemId: '7, 8' },
    `query ($ids: [ID!]) { items (ids: $ids) { ${itemFields} } }`,
    { ids: ['7', '8'] },
    [item],
  ],
  [
    { resource: 'boardItem', operation: 'getAll', ...inBoard, groupId: 'topics', limit: 5 },
    `query ($boardId: [ID!], $groupId: [String], $limit: Int!) { boards (ids: $boardId) { groups (ids: $groupId) { items_page (limit: $limit) ${page} } } }`,
    { boardId: ['42'], groupId: ['topics'], limit: 5 },
    [item],
  ],
  [
    { resource: 'boardItem', operation: 'getAll', ...inBoard, returnAll: true },
    `query ($boardId: [ID!], $limit: Int!) { boards (ids: $boardId) { items_page (limit: $limit) ${page} } }`,
    { boardId: ['42'], limit: 100 },
    [item],
  ],
  [
    { resource: 'boardItem', operation: 'getByColumnValue', ...inBoard, columnId: 'status', columnValue: 'Done' },
    `query ($boardId: ID!, $columnId: String!, $columnValue: String!, $limit: Int!) { items_page_by_column_values (limit: $limit, board_id: $boardId, columns: [{ column_id: $columnId, column_values: [$columnValue] }]) ${page} }`,
    { boardId: '42', columnId: 'status', columnValue: 'Done', limit: 50 },
    [item],
  ],
  [
    { ...ofItem, operation: 'move', ...inBoard, groupId: 'g2' },
    'mutation ($itemId: ID!, $groupId: String!) { move_item_to_group (item_id: $itemId, group_id: $groupId) { id } }',
    { itemId: '7', groupId: 'g2' },
    [{ id: '7' }],
  ],
])('%j sends %s', async (parameters, query, variables, produced) => {
  expect(await run(parameters)).toEqual(produced);
  expect(sent()).toEqual([[query, variables]]);
});

test('items are read to the end, with the cursor of each page', async () => {
  server.on('POST /v2', ({ count }) => ({
    json:
      count === 1
        ? { data: { boards: [{ items_page: { cursor: 'c1', items: [{ id: '1' }] } }] } }
        : { data: { next_items_page: { cursor: count === 2 ? 'c2' : null, items: [{ id: String(count) }] } } },
  }));
  const items = await run({ resource: 'boardItem', operation: 'getAll', ...inBoard, returnAll: true });
  expect(items.map(({ id }) => id)).toEqual(['1', '2', '3']);
  expect(sent().map(([, variables]) => variables['cursor'])).toEqual([undefined, 'c1', 'c2']);
});

test('boards are read to the last page, which is not full', async () => {
  server.on('POST /v2', ({ count }) => ({
    json: { data: { boards: Array.from({ length: count === 1 ? 100 : 3 }, (_, id) => ({ id })) } },
  }));
  expect(await run({ operation: 'getAll', returnAll: true })).toHaveLength(103);
  expect(sent().map(([, { page: number = 0 }]) => number)).toEqual([1, 2]);
});

test('requests with OAuth carry its token', async () => {
  await run({ authentication: 'oAuth2', operation: 'get', ...inBoard });
  expect(server.received[0]?.headers['authorization']).toBe('Bearer t');
});

const refusal = {
  json: {
    errors: [
      { message: 'User unauthorized to perform action', extensions: { code: 'UserUnauthorizedException', status_code: 403 } },
    ],
  },
};

test('an error includes text and code, and the node may continue', async () => {
  server.on('POST /v2', ({ count }) => (count === 1 ? refusal : { json: { data: { delete_item: { id: '7' } } } }));
  expect(await run({ ...ofItem, operation: 'delete' }, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'monday.com: User unauthorized to perform action (UserUnauthorizedException)' },
    { id: '7' },
  ]);
});

test.each<[string, JsonObject]>([
  ['of today', { errors: [{ message: 'Busy', extensions: { code: 'COMPLEXITY_BUDGET_EXHAUSTED', retry_in_seconds: 0 } }] }],
  [
    'of earlier versions',
    { error_code: 'ComplexityException', error_message: 'Complexity budget exhausted, reset in 0 seconds' },
  ],
])('a used-up budget is waited for: errors %s', async (_, json) => {
  server.on('POST /v2', ({ count }) => ({ json: count === 1 ? json : { data: { delete_item: { id: '7' } } } }));
  expect(await run({ ...ofItem, operation: 'delete' })).toEqual([{ id: '7' }]);
});

test('a long wait is an error with the code', async () => {
  const extensions = { code: 'COMPLEXITY_BUDGET_EXHAUSTED', retry_in_seconds: 600 };
  server.on('POST /v2', () => ({ json: { errors: [{ message: 'Busy', extensions }] } }));
  await expect(run({ ...ofItem, operation: 'delete' })).rejects.toThrow('monday.com: Busy (COMPLEXITY_BUDGET_EXHAUSTED)');
});

test.each<[JsonObject, string]>([
  [{ resource: 'boardItem', operation: 'create', ...inBoard, groupId: 'g' }, 'the parameter "name" is required'],
  [
    { ...ofItem, ...inBoard, operation: 'changeColumnValue', columnId: 'c', value: '{"a"' },
    'the parameter "value" is not valid JSON',
  ],
  [
    { ...ofItem, ...inBoard, operation: 'changeMultipleColumnValues', columnValues: '' },
    'the parameter "columnValues" is required',
  ],
  [{ ...ofItem, operation: 'get', itemId: '1,'.repeat(101) }, 'more than 100 items are named'],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('editors list boards, columns, and groups', async () => {
  const context: MethodContext = webhookContext({ http: server.http, credentials, parameters: inBoard });
  const { loadOptions = {} } = mondayCom.methods ?? {};
  expect(await loadOptions['getBoards']?.(context)).toEqual([{ name: 'Work', value: '42' }]);
  expect(await loadOptions['getColumns']?.(context)).toEqual([{ name: 'Status', value: 'status' }]);
  expect(await loadOptions['getGroups']?.(context)).toEqual([{ name: 'Topics', value: 'topics' }]);
});

test('lists that together exceed 64 MiB end with an error', async () => {
  const boards = Array.from({ length: 100 }, (_, id) => ({ id: String(id), description: 'x'.repeat(200_000) }));
  const text = JSON.stringify({ data: { boards } });
  server.on('POST /v2', ({ count }) => (count < 6 ? { text } : { json: { data: { boards: [] } } }));
  await expect(run({ operation: 'getAll', returnAll: true })).rejects.toMatchObject({ code: 'RESULT_TOO_LARGE', itemIndex: 0 });
});
