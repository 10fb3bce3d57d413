import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { trelloServer } from './testing/trello-server.ts';
import { example } from './trello.example.ts';
import { trello } from './trello.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await trelloServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { trelloApi: { apiKey: 'key1', apiToken: 'token1' } };
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(trello, { parameters, http: server.http, credentials, ...more });
const sent = () =>
  server.received.map(({ method, url, body }): JsonValue[] => [
    `${method} ${url.replace('/1', '')}`,
    body.length > 0 ? JSON.parse(body.toString()) : null,
  ]);
const byUrl = (value: string) => ({ __rl: true, mode: 'url', value });

test('the example', async () => {
  expect(await run({ ...example.parameters, name: 'Plan', description: 'Ask Ann' })).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual([['POST /cards', { idList: 'list1', name: 'Plan', desc: 'Ask Ann', due: '2026-02-01' }]]);
});

const comment = { resource: 'cardComment', cardId: 'c1' };
const attachment = { resource: 'attachment', cardId: 'c1' };
const board = { resource: 'board' };
const member = { resource: 'boardMember', id: 'b1' };
const list = { resource: 'list' };
const checklist = { resource: 'checklist', cardId: 'c1' };
const label = { resource: 'label' };
test.each<[JsonObject, string, JsonValue]>([
  [
    { operation: 'get', id: byUrl('https://trello.com/c/abc/1-plan'), additionalFields: { fields: 'name' } },
    'GET /cards/abc?fields=name',
    null,
  ],
  [{ operation: 'get', id: 'https://trello.com/c/abc' }, 'GET /cards/abc', null],
  [{ operation: 'delete', id: 'c1' }, 'DELETE /cards/c1', null],
  [
    { operation: 'update', id: 'c1', updateFields: { description: 'x', idList: 'l2', closed: true, idLabels: 'a,b' } },
    'PUT /cards/c1',
    { idList: 'l2', closed: true, idLabels: 'a,b', desc: 'x' },
  ],
  [{ ...comment, text: 'Hi' }, 'POST /cards/c1/actions/comments', { text: 'Hi' }],
  [{ ...comment, operation: 'update', commentId: 'a1', text: 'x' }, 'PUT /cards/c1/actions/a1/comments', { text: 'x' }],
  [{ ...comment, operation: 'delete', commentId: 'a1' }, 'DELETE /cards/c1/actions/a1/comments', null],
  [
    { ...attachment, url: 'https://a.example/f', additionalFields: { name: 'f' } },
    'POST /cards/c1/attachments',
    { url: 'https://a.example/f', name: 'f' },
  ],
  [{ ...attachment, operation: 'get', id: 'f1' }, 'GET /cards/c1/attachments/f1', null],
  [{ ...attachment, operation: 'delete', id: 'f1' }, 'DELETE /cards/c1/attachments/f1', null],
  [
    { ...board, name: 'B', description: 'x', additionalFields: { voting: 'members', defaultLists: false } },
    'POST /boards/',
    { name: 'B', desc: 'x', prefs_voting: 'members', defaultLists: false },
  ],
  [{ ...board, operation: 'get', id: byUrl('https://trello.com/b/bbb/app') }, 'GET /boards/bbb', null],
  [
    { ...board, operation: 'update', id: 'b1', updateFields: { name: 'C', description: 'y' } },
    'PUT /boards/b1',
    { name: 'C', desc: 'y' },
  ],
  [{ ...board, operation: 'delete', id: 'b1' }, 'DELETE /boards/b1', null],
  [{ ...member, idMember: 'm1' }, 'PUT /boards/b1/members/m1', { type: 'normal' }],
  [
    { ...member, operation: 'invite', email: 'a@a.test', additionalFields: { fullName: 'Ann' } },
    'PUT /boards/b1/members',
    { email: 'a@a.test', fullName: 'Ann' },
  ],
  [{ ...member, operation: 'remove', idMember: 'm1' }, 'DELETE /boards/b1/members/m1', null],
  [
    { ...list, idBoard: 'b1', name: 'L', additionalFields: { pos: 'top' } },
    'POST /lists',
    { idBoard: 'b1', name: 'L', pos: 'top' },
  ],
  [{ ...list, operation: 'archive', id: 'l1', archive: true }, 'PUT /lists/l1/closed', { value: true }],
  [{ ...list, operation: 'get', id: 'l1' }, 'GET /lists/l1', null],
  [{ ...list, operation: 'update', id: 'l1', updateFields: { name: 'M' } }, 'PUT /lists/l1', { name: 'M' }],
  [{ ...checklist, operation: 'create', name: 'L' }, 'POST /cards/c1/checklists', { name: 'L' }],
  [
    { resource: 'checklist', operation: 'createCheckItem', checklistId: 'k1', name: 'E', additionalFields: { checked: true } },
    'POST /checklists/k1/checkItems',
    { name: 'E', checked: true },
  ],
  [{ ...checklist, operation: 'delete', id: 'k1' }, 'DELETE /checklists/k1', null],
  [{ ...checklist, operation: 'get', id: 'k1' }, 'GET /checklists/k1', null],
  [{ ...checklist, operation: 'getCheckItem', checkItemId: 'e1' }, 'GET /cards/c1/checkItem/e1', null],
  [{ ...checklist, operation: 'deleteCheckItem', checkItemId: 'e1' }, 'DELETE /cards/c1/checkItem/e1', null],
  [
    {
      ...checklist,
      operation: 'updateCheckItem',
      checkItemId: 'e1',
      additionalFields: { state: 'complete', checklistId: 'k2' },
    },
    'PUT /cards/c1/checkItem/e1',
    { state: 'complete', idChecklist: 'k2' },
  ],
  [
    { ...label, operation: 'create', boardId: 'b1', name: 'L', color: 'red' },
    'POST /boards/b1/labels',
    { name: 'L', color: 'red' },
  ],
  [{ ...label, operation: 'get', id: 'x1' }, 'GET /labels/x1', null],
  [{ ...label, operation: 'update', id: 'x1', updateFields: { color: 'blue' } }, 'PUT /labels/x1', { color: 'blue' }],
  [{ ...label, operation: 'delete', id: 'x1' }, 'DELETE /labels/x1', null],
  [{ ...label, operation: 'addLabel', cardId: 'c1', id: 'x1' }, 'POST /cards/c1/idLabels', { value: 'x1' }],
  [{ ...label, operation: 'removeLabel', cardId: 'c1', id: 'x1' }, 'DELETE /cards/c1/idLabels/x1', null],
])('%j sends %s', async (parameters, request, body) => {
  const initial = ['board', 'card', 'cardComment', 'attachment', 'list', undefined].includes(parameters['resource'] as string)
    ? 'create'
    : 'add';
  expect(await run({ operation: initial, ...parameters })).toHaveLength(1);
  expect(sent()).toEqual([[request, body]]);
});

test.each<[JsonObject, string]>([
  [{ ...list, operation: 'getAll', id: byUrl('https://trello.com/b/bbb') }, 'GET /boards/bbb/lists'],
  [{ ...list, operation: 'getCards', id: 'l1', additionalFields: { fields: 'name' } }, 'GET /lists/l1/cards?fields=name'],
  [{ ...attachment, operation: 'getAll' }, 'GET /cards/c1/attachments'],
  [{ ...member, operation: 'getAll' }, 'GET /boards/b1/members'],
  [{ ...checklist, operation: 'getAll' }, 'GET /cards/c1/checklists'],
  [{ ...checklist, operation: 'completedCheckItems' }, 'GET /cards/c1/checkItemStates'],
  [{ ...label, operation: 'getAll', boardId: 'b1' }, 'GET /boards/b1/labels?limit=1000'],
])('%j lists by %s', async (parameters, request) => {
  expect(await run({ ...parameters, returnAll: true })).toHaveLength(2);
  expect(sent()).toEqual([[request, null]]);
  if (parameters['operation'] !== 'completedCheckItems') expect(await run({ ...parameters, limit: 1 })).toHaveLength(1);
});

test('more than 50 labels on a board are listed', async () => {
  expect(await run({ ...label, operation: 'getAll', boardId: 'full', returnAll: true })).toHaveLength(120);
});

test('an error includes the text from Trello', async () => {
  server.on('GET /1/cards/:id', () => ({ status: 400, text: 'invalid id' }));
  await expect(run({ operation: 'get', id: 'x' })).rejects.toMatchObject({
    message: 'Trello: invalid id (400)',
    details: { status: 400 },
  });
});

test('only the failed item has an error if the node continues', async () => {
  server.on('GET /1/cards/:id', ({ count }) => (count === 1 ? { status: 404, text: 'not found' } : { json: { id: 'c1' } }));
  const output = await run({ operation: 'get', id: 'c1' }, { json: [{}, {}], continueOnFail: true });
  expect(output).toEqual([{ error: 'Trello: not found (404)' }, { id: 'c1' }]);
});

test('a rate-limited request is retried', async () => {
  server.on('GET /1/cards/:id', ({ count }) =>
    count === 1 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : { json: { id: 'c1' } },
  );
  expect(await run({ operation: 'get', id: 'c1' })).toEqual([{ id: 'c1' }]);
});
