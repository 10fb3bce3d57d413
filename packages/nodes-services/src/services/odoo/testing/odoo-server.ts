import { isDeepStrictEqual } from 'node:util';
import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

export const account = { url: 'https://acme.odoo.com/', username: 'ann@acme.test', password: 'key1' };

/** Model → its fields. */
const types: Readonly<Record<string, JsonObject>> = {
  'sale.order': {
    active: { string: 'Active', type: 'boolean' },
    amount_total: { string: 'Total', type: 'monetary' },
    name: { string: 'Number', type: 'char' },
    partner_id: { string: 'Customer', type: 'many2one' },
    tag_ids: { string: 'Tags', type: 'many2many' },
  },
};
const error = (name: string, message: string) => ({
  error: { code: 200, message: 'Odoo Server Error', data: { name: `odoo.exceptions.${name}`, message } },
});

/** Records 1 to `count` of any model. */
const recordCount = 150;

function resultOf(model: string, method: string, args: JsonValue[], options: JsonObject): JsonObject {
  const [ids] = args;
  const first = Array.isArray(ids) ? ids[0] : undefined;
  switch (method) {
    case 'create':
      return { result: 42 };
    case 'fields_get':
      return { result: types[model] ?? {} };
    case 'read':
      return first === 404 ? { result: [] } : { result: [{ id: first ?? 0, name: 'A' }] };
    case 'search_read': {
      const { offset = 0, limit = 0 } = options as { offset?: number; limit?: number };
      const length = Math.max(0, Math.min(limit, recordCount - offset));
      return { result: Array.from({ length }, (_, index) => ({ id: offset + index + 1, name: 'A', model })) };
    }
    case 'unlink':
    case 'write':
      return first === 403 ? error('AccessError', 'You are not allowed to modify') : { result: true };
    default:
      return error('AttributeError', `${method} does not exist`);
  }
}

/**
 * https://www.odoo.com/documentation/18.0/developer/reference/external_api.html, for the user 7 of
 * the database `acme`.
 */
export function odooServer(): Promise<ApiServer> {
  const args = { type: 'array' };
  const params = fields({
    'service!': { enum: ['common', 'object'] },
    'method!': { enum: ['login', 'execute_kw'] },
    'args!': args,
  });
  return apiServer({
    baseUrl: 'https://acme.odoo.com',
    routes: {
      'POST /jsonrpc': {
        body: fields({
          'jsonrpc!': { const: '2.0' },
          'method!': { const: 'call' },
          'params!': params,
          'id!': { type: 'integer' },
        }),
        answer: ({ body }) => ({ json: { jsonrpc: '2.0', id: 1, ...answerTo(body as JsonObject) } }),
      },
    },
  });
}

function answerTo({ params }: JsonObject): JsonObject {
  const { service, args } = params as { service: string; args: JsonValue[] };
  if (service === 'common')
    return { result: isDeepStrictEqual(args, ['acme', account.username, account.password]) ? 7 : false };
  const [database, user, password, model, method, positional, options] = args;
  if (!isDeepStrictEqual([database, user, password], ['acme', 7, account.password]))
    return error('AccessDenied', 'Access Denied');
  return resultOf(String(model), String(method), positional as JsonValue[], options as JsonObject);
}
