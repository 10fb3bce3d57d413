import { type ApiRoute, type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const flag = { type: 'boolean' };
const ids = { anyOf: [text, { type: 'array', items: text }] };
const cardFields = { name: text, desc: text, due: text, dueComplete: flag, idLabels: ids, idMembers: ids, pos: text };

const one = (query = {}): ApiRoute => ({
  query: fields(query),
  answer: ({ params }) => ({ json: { id: params['id'] ?? '1' } }),
});
const list = (query = {}): ApiRoute => ({ query: fields(query), answer: () => ({ json: [{ id: '1' }, { id: '2' }] }) });
const write = (body: object): ApiRoute => ({ ...one(), body: fields(body as Record<string, object>) });

/**
 * https://developer.atlassian.com/cloud/trello/rest/, for the key `key1` and the token `token1`.
 */
export function trelloServer(): Promise<ApiServer> {
  const fieldsQuery = { fields: text };
  return apiServer({
    baseUrl: 'https://api.trello.com',
    headers: { authorization: /^OAuth oauth_consumer_key="key1", oauth_token="token1"$/ },
    routes: {
      'POST /1/cards': {
        ...write({ ...cardFields, 'idList!': text, 'name!': text, urlSource: text, idCardSource: text, keepFromSource: text }),
        answer: ({ body }) => ({ json: { id: 'card1', name: (body as { name: string }).name } }),
      },
      'GET /1/cards/:id': one({ ...fieldsQuery, members: text, board: text }),
      'PUT /1/cards/:id': write({
        ...cardFields,
        closed: flag,
        idList: text,
        idBoard: text,
        subscribed: flag,
        idAttachmentCover: text,
      }),
      'DELETE /1/cards/:id': one(),
      'POST /1/cards/:card/actions/comments': write({ 'text!': text }),
      'PUT /1/cards/:card/actions/:id/comments': write({ 'text!': text }),
      'DELETE /1/cards/:card/actions/:id/comments': one(),
      'GET /1/cards/:card/attachments': list(fieldsQuery),
      'POST /1/cards/:card/attachments': write({ 'url!': text, name: text, mimeType: text }),
      'GET /1/cards/:card/attachments/:id': one(fieldsQuery),
      'DELETE /1/cards/:card/attachments/:id': one(),
      'POST /1/boards/': write({ 'name!': text, desc: text, prefs_voting: text, defaultLists: flag }),
      'GET /1/boards/:id': one({ ...fieldsQuery, pluginData: text }),
      'PUT /1/boards/:id': write({ name: text, desc: text, closed: flag, idOrganization: text, subscribed: flag }),
      'DELETE /1/boards/:id': one(),
      'GET /1/boards/:board/members': list(),
      'PUT /1/boards/:board/members': write({ 'email!': text, type: text, fullName: text }),
      'PUT /1/boards/:board/members/:id': write({ 'type!': text }),
      'DELETE /1/boards/:board/members/:id': one(),
      'GET /1/boards/:board/lists': list(fieldsQuery),
      'GET /1/boards/:board/labels': {
        query: fields({ ...fieldsQuery, limit: { type: 'string', pattern: '^\\d{1,4}$' } }),
        answer: ({ query, params }) => {
          const count = params['board'] === 'full' ? Number(query['limit'] ?? 50) : 2;
          return { json: Array.from({ length: Math.min(count, 120) }, (_, index) => ({ id: `${index + 1}` })) };
        },
      },
      'POST /1/boards/:board/labels': write({ 'name!': text, 'color!': text }),
      'POST /1/lists': write({ 'idBoard!': text, 'name!': text, pos: text, idListSource: text }),
      'GET /1/lists/:id': one(fieldsQuery),
      'PUT /1/lists/:id': write({ name: text, closed: flag, idBoard: text, pos: text, subscribed: flag }),
      'PUT /1/lists/:id/closed': write({ 'value!': flag }),
      'GET /1/lists/:id/cards': list(fieldsQuery),
      'POST /1/cards/:card/checklists': write({ 'name!': text, pos: text, idChecklistSource: text }),
      'GET /1/cards/:card/checklists': list(fieldsQuery),
      'GET /1/cards/:card/checkItemStates': list(fieldsQuery),
      'GET /1/cards/:card/checkItem/:id': one(fieldsQuery),
      'PUT /1/cards/:card/checkItem/:id': write({
        name: text,
        state: { enum: ['complete', 'incomplete'] },
        idChecklist: text,
        pos: text,
      }),
      'DELETE /1/cards/:card/checkItem/:id': one(),
      'GET /1/checklists/:id': one(fieldsQuery),
      'DELETE /1/checklists/:id': one(),
      'POST /1/checklists/:id/checkItems': write({ 'name!': text, checked: flag, pos: text }),
      'POST /1/cards/:card/idLabels': write({ 'value!': text }),
      'DELETE /1/cards/:card/idLabels/:id': one(),
      'GET /1/labels/:id': one(fieldsQuery),
      'PUT /1/labels/:id': write({ name: text, color: text }),
      'DELETE /1/labels/:id': one(),
    },
  });
}
