import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject, MethodContext } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { documentText } from './document-text.ts';
import { example } from './google-docs.example.ts';
import { googleDocs } from './google-docs.ts';
import { documentDriveServer, googleDocsServer } from './testing/google-docs-server.ts';

let server: ApiServer;
let drive: ApiServer;
beforeAll(async () => {
  [server, drive] = await Promise.all([googleDocsServer(), documentDriveServer()]);
});
afterEach(() => {
  server.verify();
  drive.verify();
});
afterAll(() => Promise.all([server.close(), drive.close()]));

const token = { oauthTokenData: { access_token: 'ya29', expires_in: 3600 } };
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(googleDocs, {
    parameters: { documentURL: 'doc1', ...parameters },
    typeVersion: 2,
    http: server.http,
    credentials: { googleDocsOAuth2Api: token },
    ...more,
  });
const sent = () => server.received.map(({ method, url }) => `${method} ${url}`);
const requests = () => (JSON.parse(server.received[0]?.body.toString() ?? '') as { requests: JsonObject[] }).requests;
const update = (...actionFields: JsonObject[]) => run({ operation: 'update', actionsUi: { actionFields } });

test('the example', async () => {
  expect(await run(example.parameters)).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual(['POST /v1/documents/doc1:batchUpdate']);
  expect(requests()).toEqual([{ insertText: { text: 'Hello\n', endOfSegmentLocation: { segmentId: '' } } }]);
});

describe('a document', () => {
  test('is read as text, with tables and tabs', async () => {
    const content = 'Hello\ncell\nBye\nchild\n';
    expect(await run({ operation: 'get' })).toEqual([{ documentId: 'doc1', content }]);
  });

  test('is returned as a whole', async () => {
    const documentURL = 'https://docs.google.com/document/u/0/d/doc1/edit#heading=h.1';
    expect(await run({ operation: 'get', documentURL, simple: false })).toMatchObject([{ documentId: 'doc1', body: {} }]);
    expect(sent()).toEqual(['GET /v1/documents/doc1']);
  });

  test('may be nested deeply', async () => {
    let body: JsonObject = { content: [{ paragraph: { elements: [{ textRun: { content: 'x' } }] } }] };
    for (let depth = 0; depth < 20_000; depth++) body = { content: [{ table: { tableRows: [{ tableCells: [body] }] } }] };
    expect(await documentText({ body })).toBe('x');
  });

  test.each<[JsonObject, string[] | undefined]>([
    [{}, undefined],
    [{ driveId: 'drive1', folderId: 'default' }, ['drive1']],
    [{ driveId: 'sharedWithMe', folderId: 'folder1' }, ['folder1']],
  ])('is created: %j', async (parameters, parents) => {
    const output = await run({ operation: 'create', title: 'T', ...parameters }, { http: drive.http });
    expect(output).toMatchObject([{ id: 'doc2', name: 'T' }]);
    expect(output[0]?.['parents']).toEqual(parents);
  });
});

const body = { segmentId: '' };
const header = { insertSegment: 'header', segmentId: 'h1' };
const range = { segmentId: '', startIndex: 1, endIndex: 5 };
const cell = { tableStartLocation: { segmentId: '', index: 2 }, rowIndex: 1, columnIndex: 0 };
const inCell = { index: 2, rowIndex: 1, columnIndex: 0 };

test.each<[JsonObject, JsonObject]>([
  [
    { object: 'text', action: 'insert', text: 'a', locationChoice: 'location', index: 5, ...header },
    { insertText: { text: 'a', location: { segmentId: 'h1', index: 5 } } },
  ],
  [
    { action: 'replaceAll', text: 'a', replaceText: 'b', matchCase: true },
    { replaceAllText: { replaceText: 'b', containsText: { text: 'a', matchCase: true } } },
  ],
  [{ object: 'pageBreak', action: 'insert' }, { insertPageBreak: { endOfSegmentLocation: body } }],
  [
    { object: 'table', action: 'insert', rows: 2, columns: 3 },
    { insertTable: { rows: 2, columns: 3, endOfSegmentLocation: body } },
  ],
  [
    { object: 'footer', action: 'create', index: 0 },
    { createFooter: { type: 'DEFAULT', sectionBreakLocation: { segmentId: '', index: 0 } } },
  ],
  [
    { object: 'header', action: 'create', index: 0 },
    { createHeader: { type: 'DEFAULT', sectionBreakLocation: { segmentId: '', index: 0 } } },
  ],
  [
    { object: 'namedRange', action: 'create', name: 'n', startIndex: 1, endIndex: 5 },
    { createNamedRange: { name: 'n', range } },
  ],
  [
    { object: 'paragraphBullets', action: 'create', bulletPreset: 'BULLET_CHECKBOX', startIndex: 1, endIndex: 5 },
    { createParagraphBullets: { bulletPreset: 'BULLET_CHECKBOX', range } },
  ],
  [{ object: 'paragraphBullets', action: 'delete', startIndex: 1, endIndex: 5 }, { deleteParagraphBullets: { range } }],
  [{ object: 'footer', action: 'delete', footerId: 'f' }, { deleteFooter: { footerId: 'f' } }],
  [{ object: 'header', action: 'delete', headerId: 'h' }, { deleteHeader: { headerId: 'h' } }],
  [{ object: 'namedRange', action: 'delete', value: 'r' }, { deleteNamedRange: { namedRangeId: 'r' } }],
  [{ object: 'namedRange', action: 'delete', namedRangeReference: 'name', value: 'n' }, { deleteNamedRange: { name: 'n' } }],
  [{ object: 'positionedObject', action: 'delete', objectId: 'o' }, { deletePositionedObject: { objectId: 'o' } }],
  [{ object: 'tableColumn', action: 'delete', ...inCell }, { deleteTableColumn: { tableCellLocation: cell } }],
  [{ object: 'tableRow', action: 'delete', ...inCell }, { deleteTableRow: { tableCellLocation: cell } }],
  [
    { object: 'tableColumn', action: 'insert', insertRight: true, ...inCell },
    { insertTableColumn: { tableCellLocation: cell, insertRight: true } },
  ],
  [{ object: 'tableRow', action: 'insert', ...inCell }, { insertTableRow: { tableCellLocation: cell, insertBelow: false } }],
])('the action %j is one request', async (action, request) => {
  expect(await update(action)).toMatchObject([{ documentId: 'doc1' }]);
  expect(requests()).toEqual([request]);
});

test('an update sends a revision, and returns its results or the whole response', async () => {
  const actionsUi = { actionFields: [{ action: 'replaceAll', text: 'a', replaceText: '' }] };
  const updateFields = { writeControlObject: { value: { control: 'targetRevisionId', value: 'r1' } } };
  expect(await run({ operation: 'update', actionsUi, updateFields })).toEqual([{ documentId: 'doc1', occurrencesChanged: 2 }]);
  expect(JSON.parse(server.received[0]?.body.toString() ?? '')).toMatchObject({ writeControl: { targetRevisionId: 'r1' } });
  expect(await run({ operation: 'update', actionsUi, simple: false })).toEqual([
    { documentId: 'doc1', replies: [{ replaceAllText: { occurrencesChanged: 2 } }] },
  ]);
});

test('version 1 uses a service account by default', async () => {
  await run({ operation: 'get' }, { typeVersion: 1, credentials: { googleApi: token } });
  expect(sent()).toEqual(['GET /v1/documents/doc1?includeTabsContent=true']);
});

test.each<[JsonObject, string]>([
  [{ operation: 'get', documentURL: '' }, 'the parameter "documentURL" is required'],
  [{ operation: 'update' }, 'there are no actions'],
  [
    { operation: 'update', actionsUi: { actionFields: [{ object: 'table', action: 'delete' }] } },
    'the action 1 does not exist: table delete',
  ],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('an error includes the reason from Google; a failed item does not affect the others; a request over the quota is retried', async () => {
  const quota = { error: { code: 429, message: 'Quota exceeded', status: 'RESOURCE_EXHAUSTED' } };
  const answers = [
    { status: 404, json: { error: { code: 404, message: 'Requested entity was not found.', status: 'NOT_FOUND' } } },
    { status: 429, headers: { 'retry-after': '0' }, json: quota },
    { json: { documentId: 'doc1', tabs: [] } },
  ];
  server.on('GET /v1/documents/:id', ({ count }) => answers[count - 1] ?? {});
  const output = await run({ operation: 'get' }, { json: [{}, {}], continueOnFail: true });
  expect(output).toEqual([
    { error: 'Google Docs: Requested entity was not found. (NOT_FOUND)' },
    { documentId: 'doc1', content: '' },
  ]);
});

test('drives and folders can be chosen', async () => {
  const context: MethodContext = webhookContext({
    http: drive.http,
    credentials: { googleDocsOAuth2Api: token },
    typeVersion: 2,
  });
  const { getDrives, getFolders } = googleDocs.methods?.loadOptions ?? {};
  expect(await getDrives?.(context)).toEqual([
    { name: 'My Drive', value: 'myDrive' },
    { name: 'Shared with Me', value: 'sharedWithMe' },
    { name: 'Team', value: 'drive1' },
  ]);
  expect(await getFolders?.(context)).toEqual([
    { name: '/', value: 'default' },
    { name: 'Reports', value: 'folder1' },
  ]);
});
