import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const file = { id: 'i1', name: 'a.txt', file: { mimeType: 'text/plain' } };
const answer = (json: unknown) => ({ answer: () => ({ json }) });
const drive = '/v1.0/me/drive';

/** https://learn.microsoft.com/graph/api/resources/onedrive */
export function oneDriveServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://graph.microsoft.com',
    headers: { authorization: /^Bearer t$/ },
    routes: {
      [`PUT ${drive}/items/:parent::/:name::/content`]: {
        type: /^text\/plain/,
        body: { type: 'string' },
        ...answer({ id: 'i1', name: 'a b.txt' }),
      },
      [`GET ${drive}/items/:parent::/:name::`]: answer({ id: 'd5' }),
      [`GET ${drive}/items/:id`]: answer(file),
      [`PATCH ${drive}/items/:id`]: { body: fields({ 'name!': text }), ...answer({ id: 'i1', name: 'n' }) },
      [`DELETE ${drive}/items/:id`]: { answer: () => ({ status: 204 }) },
      [`GET ${drive}/items/:id/content`]: { answer: () => ({ text: 'Hello' }) },
      [`GET ${drive}/items/:id/children`]: { query: fields({ $skiptoken: text }), ...answer({ value: [file] }) },
      [`POST ${drive}/items/:id/children`]: {
        body: fields({ 'name!': text, 'folder!': { type: 'object' }, '@microsoft.graph.conflictBehavior': { const: 'fail' } }),
        ...answer({ id: 'd1' }),
      },
      [`POST ${drive}/items/:id/copy`]: {
        body: fields({ name: text, parentReference: fields({ driveId: text, id: text }) }),
        answer: () => ({ status: 202, headers: { location: 'https://graph.microsoft.com/monitor/1' } }),
      },
      [`POST ${drive}/items/:id/createLink`]: {
        body: fields({ 'type!': { enum: ['view', 'edit', 'embed'] }, 'scope!': { enum: ['anonymous', 'organization'] } }),
        ...answer({ link: { webUrl: 'https://1drv.ms/x' } }),
      },
      [`GET ${drive}/root/:search`]: answer({ value: [file, { id: 'd1', folder: {} }] }),
    },
  });
}
