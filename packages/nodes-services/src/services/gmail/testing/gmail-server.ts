import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const size = { type: 'string', pattern: '^([1-9]\\d{0,2})$' };
const page = { maxResults: size, pageToken: text };
const search = { q: text, labelIds: {}, includeSpamTrash: { const: 'true' } };
const labels = { type: 'array', minItems: 1, items: text };
const change = { body: fields({ addLabelIds: labels, removeLabelIds: labels }), answer: () => ({ json: { id: 'm1' } }) };
const upload = {
  query: fields({ 'uploadType!': { const: 'multipart' } }),
  type: /^multipart\/related; boundary=/,
  body: text,
};

const raw = Buffer.from(
  [
    'From: Ada <ada@example.com>',
    'To: me@example.com',
    'Subject: Hi',
    'Message-ID: <1@example.com>',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'Hello',
    '--b',
    'Content-Type: text/csv; name=a.csv',
    'Content-Disposition: attachment; filename=a.csv',
    '',
    'x,y',
    '--b--',
    '',
  ].join('\r\n'),
).toString('base64url');

const metadata = {
  id: 'm1',
  threadId: 't1',
  labelIds: ['INBOX', 'L1'],
  snippet: 'Hello',
  payload: {
    mimeType: 'text/plain',
    headers: [
      { name: 'From', value: 'Ada <ada@example.com>' },
      { name: 'To', value: '"Me, Myself" <me@example.com>, Bob <bob@example.com>' },
      { name: 'Cc', value: 'eve@example.com' },
      { name: 'Subject', value: 'Hi' },
      { name: 'Message-ID', value: '<1@example.com>' },
      { name: 'X-Other', value: 'x' },
    ],
  },
};

/**
 * https://developers.google.com/workspace/gmail/api/reference/rest, for the token `ya29` of
 * `me@example.com`.
 */
export function gmailServer(): Promise<ApiServer> {
  const user = '/gmail/v1/users/me';
  return apiServer({
    baseUrl: 'https://gmail.googleapis.com',
    headers: { authorization: /^Bearer ya29$/ },
    routes: {
      [`GET ${user}/profile`]: { answer: () => ({ json: { emailAddress: 'me@example.com' } }) },
      [`GET ${user}/history`]: {
        query: fields({ 'startHistoryId!': text, 'historyTypes!': { const: 'messageAdded' }, ...page }),
        answer: ({ query }) => ({ json: { historyId: query['startHistoryId'] } }),
      },
      [`GET ${user}/messages`]: {
        query: fields({ ...page, ...search }),
        answer: ({ query }) => ({
          json: query['pageToken'] === 'p2' ? { messages: [{ id: 'm2' }] } : { messages: [{ id: 'm1' }], nextPageToken: 'p2' },
        }),
      },
      [`GET ${user}/messages/:id`]: {
        query: fields({ 'format!': { enum: ['minimal', 'metadata', 'full', 'raw'] }, metadataHeaders: {} }),
        answer: ({ params, query }) => ({
          json: { ...(query['format'] === 'raw' ? { threadId: 't1', raw } : metadata), id: params['id'] },
        }),
      },
      [`POST ${user}/messages/:id/modify`]: change,
      [`DELETE ${user}/messages/:id`]: { answer: () => ({ status: 204 }) },
      [`POST /upload${user}/messages/send`]: {
        ...upload,
        answer: () => ({ json: { id: 'm9', threadId: 't1', labelIds: ['SENT'] } }),
      },
      [`GET ${user}/labels`]: {
        answer: () => ({
          json: {
            labels: [
              { id: 'INBOX', name: 'INBOX' },
              { id: 'L1', name: 'Work' },
            ],
          },
        }),
      },
      [`POST ${user}/labels`]: {
        body: fields({
          'name!': text,
          labelListVisibility: { enum: ['labelShow', 'labelHide', 'labelShowIfUnread'] },
          messageListVisibility: { enum: ['show', 'hide'] },
        }),
        answer: ({ body }) => ({ json: { id: 'L2', ...(body as object) } }),
      },
      [`GET ${user}/labels/:id`]: { answer: ({ params }) => ({ json: { id: params['id'] } }) },
      [`DELETE ${user}/labels/:id`]: { answer: () => ({ status: 204 }) },
      [`GET ${user}/drafts`]: {
        query: fields({ ...page, includeSpamTrash: { const: 'true' } }),
        answer: () => ({ json: { drafts: [{ id: 'd1' }] } }),
      },
      [`GET ${user}/drafts/:id`]: {
        query: fields({ 'format!': { enum: ['minimal', 'metadata', 'full', 'raw'] } }),
        answer: ({ params }) => ({ json: { id: params['id'], message: { id: 'm1', threadId: 't1', raw } } }),
      },
      [`POST /upload${user}/drafts`]: { ...upload, answer: () => ({ json: { id: 'd9', message: { id: 'm9' } } }) },
      [`DELETE ${user}/drafts/:id`]: { answer: () => ({ status: 204 }) },
      [`GET ${user}/threads`]: {
        query: fields({ ...page, ...search }),
        answer: () => ({ json: { threads: [{ id: 't1' }] } }),
      },
      [`GET ${user}/threads/:id`]: {
        query: fields({ format: { enum: ['minimal', 'metadata', 'full'] } }),
        answer: () => ({ json: { id: 't1', messages: [metadata, { ...metadata, id: 'm2' }] } }),
      },
      [`POST ${user}/threads/:id/modify`]: change,
      [`POST ${user}/threads/:id/trash`]: { answer: () => ({ json: { id: 't1' } }) },
      [`POST ${user}/threads/:id/untrash`]: { answer: () => ({ json: { id: 't1' } }) },
      [`DELETE ${user}/threads/:id`]: { answer: () => ({ status: 204 }) },
    },
  });
}
