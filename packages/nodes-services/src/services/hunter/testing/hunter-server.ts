import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const size = { type: 'string', pattern: '^([1-9]\\d?|100)$' };
const emails = (count: number) => Array.from({ length: count }, (_, id) => ({ value: `e${id}@example.com` }));

/** https://hunter.io/api-documentation/v2, for the key `k1`; the domain has 101 addresses. */
export function hunterServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://api.hunter.io',
    headers: { 'x-api-key': /^k1$/ },
    routes: {
      'GET /v2/domain-search': {
        query: fields({
          'domain!': text,
          'limit!': size,
          offset: { const: '100' },
          type: { enum: ['personal', 'generic'] },
          seniority: { type: 'string', pattern: '^(junior|senior|executive)(,(junior|senior|executive))*$' },
          department: text,
        }),
        answer: ({ query }) => ({
          json: {
            data: {
              domain: query['domain'],
              emails: emails(query['offset'] === '100' ? 1 : Math.min(100, Number(query['limit']))),
            },
            meta: { results: 101 },
          },
        }),
      },
      'GET /v2/email-finder': {
        query: fields({ 'domain!': text, 'first_name!': text, 'last_name!': text }),
        answer: () => ({ json: { data: { email: 'ada@example.com', score: 97 } } }),
      },
      'GET /v2/email-verifier': {
        query: fields({ 'email!': text }),
        answer: ({ query }) => ({
          json: { data: { status: 'valid', result: 'deliverable', score: 97, email: query['email'] } },
        }),
      },
    },
  });
}
