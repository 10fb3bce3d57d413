import { type ApiRoute, type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const flag = { type: 'boolean' };
const recipients = { type: 'array', items: fields({ 'emailAddress!': fields({ 'address!': text }) }) };
const file = fields({
  '@odata.type!': { const: '#microsoft.graph.fileAttachment' },
  'name!': text,
  'contentType!': text,
  'contentBytes!': { type: 'string', pattern: '^[\\w+/]+=*$' },
});
const message = {
  attachments: { type: 'array', items: file },
  bccRecipients: recipients,
  body: fields({ 'contentType!': { enum: ['html', 'Text'] }, 'content!': { type: 'string' } }),
  categories: { type: 'array', items: text },
  ccRecipients: recipients,
  from: fields({ 'emailAddress!': fields({ 'address!': text }) }),
  importance: { enum: ['Low', 'Normal', 'High'] },
  internetMessageHeaders: { type: 'array', items: fields({ 'name!': text, 'value!': text }) },
  isRead: flag,
  isReadReceiptRequested: flag,
  replyTo: recipients,
  subject: { type: 'string' },
  toRecipients: recipients,
};
const time = fields({ 'dateTime!': text, 'timeZone!': text });
const event = fields({
  attendees: recipients,
  body: fields({ 'contentType!': text, 'content!': text }),
  end: time,
  importance: text,
  isAllDay: flag,
  isOnlineMeeting: flag,
  location: fields({ 'displayName!': text }),
  sensitivity: text,
  showAs: text,
  start: time,
  subject: text,
});
const list = fields({ $top: text, $select: text, $filter: text, $search: text, $skip: text, $orderby: text });
const select = fields({ $select: text });
const answer = (json: unknown): Pick<ApiRoute, 'answer'> => ({ answer: () => ({ json }) });
const done: ApiRoute = { answer: () => ({ status: 204 }) };

const sample = {
  id: 'm1',
  conversationId: 'c1',
  subject: 'Hi',
  bodyPreview: 'Hello',
  from: { emailAddress: { name: 'Ada', address: 'ada@example.com' } },
  toRecipients: [{ emailAddress: { address: 'me@example.com' } }],
  categories: [],
  hasAttachments: true,
  receivedDateTime: '2026-01-02T03:04:05Z',
};

const api: Readonly<Record<string, ApiRoute>> = {
  'POST /sendMail': { body: fields({ 'message!': fields(message), saveToSentItems: flag }), answer: () => ({ status: 202 }) },
  'GET /messages': { query: list, ...answer({ value: [sample] }) },
  'POST /messages': { body: fields(message), ...answer({ id: 'd1' }) },
  'GET /messages/:id': { query: select, ...answer(sample) },
  'PATCH /messages/:id': { body: fields(message), ...answer({ id: 'm1', isRead: true }) },
  'DELETE /messages/:id': done,
  'POST /messages/:id/move': { body: fields({ 'destinationId!': text }), ...answer({ id: 'm2', parentFolderId: 'f1' }) },
  'POST /messages/:id/createReply': { body: fields({ comment: { type: 'string' } }), ...answer({ id: 'r1' }) },
  'POST /messages/:id/createReplyAll': { body: fields({ comment: { type: 'string' } }), ...answer({ id: 'r1' }) },
  'POST /messages/:id/send': { answer: () => ({ status: 202 }) },
  'GET /messages/:id/attachments': {
    query: list,
    ...answer({ value: [{ id: 'a1', name: 'a.txt', contentType: 'text/plain' }] }),
  },
  'POST /messages/:id/attachments': { body: file, ...answer({ id: 'a2' }) },
  'GET /messages/:id/attachments/:file': { query: select, ...answer({ id: 'a1', name: 'a.txt', contentType: 'text/plain' }) },
  'GET /messages/:id/attachments/:file/$value': { answer: () => ({ text: 'bytes' }) },
  'GET /mailFolders': { query: list, ...answer({ value: [{ id: 'f1', displayName: 'Inbox', childFolderCount: 1 }] }) },
  'POST /mailFolders': { body: fields({ 'displayName!': text }), ...answer({ id: 'f2' }) },
  'GET /mailFolders/:id': { query: select, ...answer({ id: 'f1' }) },
  'PATCH /mailFolders/:id': { body: fields({ 'displayName!': text }), ...answer({ id: 'f1' }) },
  'DELETE /mailFolders/:id': done,
  'GET /mailFolders/:id/messages': { query: list, ...answer({ value: [sample] }) },
  'GET /mailFolders/:id/childFolders': { query: list, ...answer({ value: [{ id: 'f3', childFolderCount: 0 }] }) },
  'POST /mailFolders/:id/childFolders': { body: fields({ 'displayName!': text }), ...answer({ id: 'f4' }) },
  'GET /outlook/masterCategories': { query: list, ...answer({ value: [{ displayName: 'Red' }] }) },
  'GET /calendars': { query: list, ...answer({ value: [{ id: 'k1', name: 'Calendar' }] }) },
  'GET /calendars/:id': answer({ id: 'k1' }),
  'GET /calendars/:id/events': { query: list, ...answer({ value: [{ id: 'e1' }] }) },
  'POST /calendars/:id/events': { body: event, ...answer({ id: 'e1' }) },
  'GET /events/:id': answer({ id: 'e1' }),
  'PATCH /events/:id': { body: event, ...answer({ id: 'e1' }) },
  'DELETE /events/:id': done,
};

/**
 * https://learn.microsoft.com/graph/api/resources/mail-api-overview, for the user's own mailbox and
 * a shared one.
 */
export function outlookServer(): Promise<ApiServer> {
  const routes = Object.entries(api).flatMap(([name, route]) =>
    ['/v1.0/me', '/v1.0/users/:user'].map((root): [string, ApiRoute] => [name.replace(' ', ` ${root}`), route]),
  );
  return apiServer({
    baseUrl: 'https://graph.microsoft.com',
    headers: { authorization: /^Bearer t$/ },
    routes: Object.fromEntries(routes),
  });
}
