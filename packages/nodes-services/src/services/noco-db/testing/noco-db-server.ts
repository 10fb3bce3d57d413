import { type ApiRoute, type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const digits = { type: 'string', pattern: '^[0-9]+$' };
const query = fields({ 'limit!': digits, offset: digits, viewId: text, where: text, fields: text, sort: text });
const row = { type: 'object' };
const ofKey = { type: 'array', minItems: 1, items: { type: 'object', minProperties: 1 } };

const list: ApiRoute['answer'] = () => ({ json: { list: [{ Id: 1 }, { Id: 2 }], pageInfo: { isLastPage: true } } });
const created: ApiRoute['answer'] = () => ({ json: { Id: 7 } });

/** https://data-apis-v2.nocodb.com/, and the routes of earlier versions, for the token `token1`. */
export function nocoDbServer(): Promise<ApiServer> {
  const older = (path: string, change: 'PATCH' | 'PUT'): Record<string, ApiRoute> => ({
    [`GET ${path}`]: { query, answer: list },
    [`POST ${path}`]: { body: row, answer: created },
    [`GET ${path}/:id`]: { answer: created },
    [`${change} ${path}/:id`]: { body: row, answer: created },
    [`DELETE ${path}/:id`]: { answer: () => ({ json: 1 }) },
  });
  return apiServer({
    baseUrl: 'https://noco.example',
    headers: { 'xc-token': /^token1$/ },
    routes: {
      'GET /api/v2/tables/:table/records': { query, answer: list },
      'POST /api/v2/tables/:table/records': { body: row, answer: created },
      'GET /api/v2/tables/:table/records/:id': { answer: created },
      'PATCH /api/v2/tables/:table/records': { body: ofKey, answer: () => ({ json: [{ Id: 7 }] }) },
      'DELETE /api/v2/tables/:table/records': { body: ofKey, answer: () => ({ json: { Id: 7 } }) },
      ...older('/api/v1/db/data/noco/:base/:table', 'PATCH'),
      ...older('/nc/:base/api/v1/:table', 'PUT'),
    },
  });
}
