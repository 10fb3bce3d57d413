import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const decimal = { type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' };
const seconds = { type: 'string', pattern: '^\\d+$' };
const auth_token = { const: 't1' };
const query = fields({ 'auth_token!': auth_token });
const type = /^application\/x-www-form-urlencoded/;

/** https://api.beeminder.com, for the token `t1`; the goal has 301 values. */
export function beeminderServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://www.beeminder.com',
    routes: {
      'POST /api/v1/users/me/goals/:goal/datapoints.json': {
        query,
        type,
        body: fields({ 'value!': decimal, comment: text, requestid: text, timestamp: seconds }),
        answer({ body }) {
          const { value, ...rest } = body as Record<string, string>;
          return { json: { id: 'd1', value: Number(value), ...rest } };
        },
      },
      'GET /api/v1/users/me/goals/:goal/datapoints.json': {
        query: fields({
          'auth_token!': auth_token,
          sort: { enum: ['id', 'timestamp', 'value'] },
          'page!': { enum: ['1', '2'] },
          'per!': { const: '300' },
        }),
        answer: ({ query: { page } }) => ({ json: Array.from({ length: page === '2' ? 1 : 300 }, (_, id) => ({ id })) }),
      },
      'PUT /api/v1/users/me/goals/:goal/datapoints/:id': {
        query,
        type,
        body: fields({ value: decimal, comment: text, timestamp: seconds }),
        answer: ({ params }) => ({ json: { id: params['id'] } }),
      },
      'DELETE /api/v1/users/me/goals/:goal/datapoints/:id': { query, answer: ({ params }) => ({ json: { id: params['id'] } }) },
    },
  });
}
