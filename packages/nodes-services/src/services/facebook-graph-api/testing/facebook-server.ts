import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const token = { 'access_token!': { const: 'EAA' } };
const text = { type: 'string', minLength: 1 };

/**
 * Objects of https://developers.facebook.com/docs/graph-api/reference and of the Instagram
 * platform.
 */
export function facebookServer(baseUrl = 'https://graph.facebook.com'): Promise<ApiServer> {
  return apiServer({
    baseUrl,
    routes: {
      'GET /me': { query: fields({ ...token, fields: text }), answer: () => ({ json: { id: '1', name: 'Ann' } }) },
      'GET /v22.0/:page/photos': {
        query: fields({ ...token, fields: text, limit: text }),
        answer: () => ({ json: { data: [{ id: 'p' }], paging: {} } }),
      },
      'POST /v23.0/:account/media_publish': {
        query: fields({ ...token, 'creation_id!': text }),
        answer: () => ({ json: { id: '17900000000000000' } }),
      },
      'POST /me/photos': {
        query: fields({ ...token, caption: text }),
        type: /^multipart\/form-data/,
        body: fields({ file: { type: 'object' }, source: { type: 'object' } }),
        answer: ({ body }) => ({ json: { id: '5', got: body } }),
      },
      'DELETE /:object': { query: fields(token), answer: () => ({ json: true }) },
    },
  });
}
