import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const presentations = '/v1/presentations';
const slides = [{ objectId: 'g1' }, { objectId: 'g2' }];

/** https://developers.google.com/workspace/slides/api/reference/rest, for the token `ya29`. */
export function googleSlidesServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://slides.googleapis.com',
    headers: { authorization: /^Bearer ya29$/ },
    routes: {
      [`POST ${presentations}`]: {
        body: fields({ 'title!': text }),
        answer: ({ body }) => ({ json: { presentationId: 'p1', ...(body as object) } }),
      },
      [`GET ${presentations}/:id`]: {
        query: fields({ fields: { enum: ['slides', 'slides.objectId'] } }),
        answer: ({ params, query }) => ({ json: query['fields'] ? { slides } : { presentationId: params['id'], slides } }),
      },
      [`POST ${presentations}/:id::batchUpdate`]: {
        body: fields({
          'requests!': {
            type: 'array',
            minItems: 1,
            items: fields({
              'replaceAllText!': fields({
                'containsText!': fields({ 'text!': text, 'matchCase!': { type: 'boolean' } }),
                'replaceText!': { type: 'string' },
                'pageObjectIds!': { type: 'array', items: text },
              }),
            }),
          },
          writeControl: fields({ 'requiredRevisionId!': text }),
        }),
        answer: ({ params, body }) => ({
          json: {
            presentationId: params['id'],
            replies: (body as { requests: unknown[] }).requests.map(() => ({ replaceAllText: { occurrencesChanged: 1 } })),
          },
        }),
      },
      [`GET ${presentations}/:id/pages/:page`]: { answer: ({ params }) => ({ json: { objectId: params['page'] } }) },
      [`GET ${presentations}/:id/pages/:page/thumbnail`]: {
        answer: () => ({ json: { width: 1600, height: 900, contentUrl: 'https://lh7-us.googleusercontent.com/image1' } }),
      },
    },
  });
}

/** Images of pages, which need no credential. */
export function slideImageServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://lh7-us.googleusercontent.com',
    headers: { authorization: /^$/ },
    routes: { 'GET /image1': { answer: () => ({ text: 'PNG', headers: { 'content-type': 'image/png' } }) } },
  });
}
