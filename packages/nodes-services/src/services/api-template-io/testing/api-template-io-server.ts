import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const query = fields({ 'template_id!': { type: 'string', minLength: 1 } });
const created = { status: 'success', download_url: 'https://files.example/invoice.pdf', transaction_ref: 't1' };

/** https://apitemplate.io/apiv2/, for the key `k1`. */
export function apiTemplateIoServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://rest.apitemplate.io',
    headers: { 'x-api-key': /^k1$/ },
    routes: {
      'POST /v2/create-image': {
        query,
        body: fields({ 'overrides!': { type: 'array', items: { type: 'object' } } }),
        answer: () => ({ json: created }),
      },
      'POST /v2/create-pdf': { query, body: { type: ['object', 'array'] }, answer: () => ({ json: created }) },
      'GET /v2/account-information': { answer: () => ({ json: { status: 'success', subscription_product: 'free' } }) },
    },
  });
}
