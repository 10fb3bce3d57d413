import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const segment = { type: 'string' };
const index = { type: 'integer', minimum: 0 };
const flag = { type: 'boolean' };
const location = fields({ 'segmentId!': segment, 'index!': index });
const place = { location, endOfSegmentLocation: fields({ 'segmentId!': segment }) };
const range = fields({ 'segmentId!': segment, 'startIndex!': index, 'endIndex!': index });
const cell = fields({ 'tableStartLocation!': location, 'rowIndex!': index, 'columnIndex!': index });
const section = fields({ 'type!': { const: 'DEFAULT' }, 'sectionBreakLocation!': location });

/** https://developers.google.com/workspace/docs/api/reference/rest/v1/documents/request */
const request = {
  ...fields({
    insertText: fields({ 'text!': text, ...place }),
    replaceAllText: fields({
      'replaceText!': { type: 'string' },
      'containsText!': fields({ 'text!': text, 'matchCase!': flag }),
    }),
    insertPageBreak: fields(place),
    insertTable: fields({ 'rows!': index, 'columns!': index, ...place }),
    createFooter: section,
    createHeader: section,
    createNamedRange: fields({ 'name!': text, 'range!': range }),
    createParagraphBullets: fields({ 'bulletPreset!': text, 'range!': range }),
    deleteParagraphBullets: fields({ 'range!': range }),
    deleteFooter: fields({ 'footerId!': text }),
    deleteHeader: fields({ 'headerId!': text }),
    deleteNamedRange: fields({ name: text, namedRangeId: text }),
    deletePositionedObject: fields({ 'objectId!': text }),
    deleteTableColumn: fields({ 'tableCellLocation!': cell }),
    deleteTableRow: fields({ 'tableCellLocation!': cell }),
    insertTableColumn: fields({ 'tableCellLocation!': cell, 'insertRight!': flag }),
    insertTableRow: fields({ 'tableCellLocation!': cell, 'insertBelow!': flag }),
  }),
  minProperties: 1,
  maxProperties: 1,
};

const paragraph = (content: string) => ({ paragraph: { elements: [{ textRun: { content } }, { pageBreak: {} }] } });
const table = { table: { tableRows: [{ tableCells: [{ content: [paragraph('cell\n')] }] }] } };
const body = { content: [{ sectionBreak: {} }, paragraph('Hello\n'), table, paragraph('Bye\n')] };

/** https://developers.google.com/workspace/docs/api/reference/rest, for the token `ya29`. */
export function googleDocsServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://docs.googleapis.com',
    headers: { authorization: /^Bearer ya29$/ },
    routes: {
      'GET /v1/documents/:id': {
        query: fields({ includeTabsContent: { const: 'true' } }),
        answer: ({ params, query }) => {
          const child = { documentTab: { body: { content: [paragraph('child\n')] } } };
          const tabs = [{ documentTab: { body }, childTabs: [child] }, { documentTab: { body: {} } }];
          return { json: { documentId: params['id'], ...(query['includeTabsContent'] ? { tabs } : { body }) } };
        },
      },
      'POST /v1/documents/:id::batchUpdate': {
        body: fields({
          'requests!': { type: 'array', minItems: 1, items: request },
          writeControl: fields({ requiredRevisionId: text, targetRevisionId: text }),
        }),
        answer: ({ params, body: sent }) => ({
          json: {
            documentId: params['id'],
            replies: (sent as { requests: object[] }).requests.map((one) =>
              'replaceAllText' in one ? { replaceAllText: { occurrencesChanged: 2 } } : {},
            ),
          },
        }),
      },
    },
  });
}

/** https://developers.google.com/workspace/drive/api/reference/rest/v3, which creates documents. */
export function documentDriveServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://www.googleapis.com',
    headers: { authorization: /^Bearer ya29$/ },
    routes: {
      'POST /drive/v3/files': {
        query: fields({ 'supportsAllDrives!': { const: 'true' } }),
        body: fields({
          'name!': text,
          'mimeType!': { const: 'application/vnd.google-apps.document' },
          parents: { type: 'array', minItems: 1, items: text },
        }),
        answer: ({ body: sent }) => ({ json: { id: 'doc2', ...(sent as object) } }),
      },
      'GET /drive/v3/files': { query: {}, answer: () => ({ json: { files: [{ id: 'folder1', name: 'Reports' }] } }) },
      'GET /drive/v3/drives': { query: {}, answer: () => ({ json: { drives: [{ id: 'drive1', name: 'Team' }] } }) },
    },
  });
}
