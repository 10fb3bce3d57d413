import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const person = fields({ 'email!': text, name: text });
const people = { type: 'array', minItems: 1, items: person };

/** https://developers.brevo.com/reference, for the key `k1`; the account has 1,001 contacts. */
export function sendInBlueServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://api.brevo.com',
    headers: { 'api-key': /^k1$/ },
    routes: {
      'POST /v3/smtp/email': {
        body: fields({
          'to!': people,
          cc: people,
          bcc: people,
          sender: person,
          subject: text,
          textContent: text,
          htmlContent: text,
          templateId: { type: 'integer' },
          params: { type: 'object' },
          tags: { type: 'array', minItems: 1, items: text },
        }),
        answer: () => ({ status: 201, json: { messageId: '<1@smtp.example>' } }),
      },
      'POST /v3/contacts': {
        body: fields({ 'email!': text, 'attributes!': { type: 'object' }, 'updateEnabled!': { type: 'boolean' } }),
        answer: ({ body }) =>
          (body as { updateEnabled: boolean }).updateEnabled ? { status: 204 } : { status: 201, json: { id: 9 } },
      },
      'GET /v3/contacts': {
        query: fields({ 'limit!': { type: 'string', pattern: '^\\d{1,4}$' }, offset: { const: '1000' } }),
        answer: ({ query }) => ({
          json: {
            count: 1_001,
            contacts: Array.from({ length: query['offset'] ? 1 : Number(query['limit']) }, () => ({ id: 1 })),
          },
        }),
      },
      'GET /v3/contacts/:id': { answer: ({ params }) => ({ json: { email: params['id'] } }) },
      'PUT /v3/contacts/:id': { body: fields({ 'attributes!': { type: 'object' } }), answer: () => ({ status: 204 }) },
      'DELETE /v3/contacts/:id': { answer: () => ({ status: 204 }) },
    },
  });
}
