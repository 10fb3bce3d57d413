import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const id = { type: 'string', pattern: '^\\d+$' };
const argument = { type: ['object', 'string'] };

/** https://hub.phantombuster.com/reference, for the key `k1`; run 7 has two results. */
export function phantombusterServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://api.phantombuster.com',
    headers: { 'x-phantombuster-key': /^k1$/ },
    routes: {
      'GET /api/v2/agents/fetch': {
        query: fields({ 'id!': id }),
        answer: ({ query }) => ({ json: { id: query['id'], name: 'A' } }),
      },
      'GET /api/v2/agents/fetch-all': { answer: () => ({ json: [{ id: '42' }, { id: '43' }, { id: '44' }] }) },
      'POST /api/v2/agents/delete': { body: fields({ 'id!': id }), answer: () => ({}) },
      'POST /api/v2/agents/launch': {
        body: fields({
          'id!': id,
          argument,
          bonusArgument: argument,
          manualLaunch: { type: 'boolean' },
          saveArgument: { type: 'boolean' },
          maxInstanceCount: { type: 'integer', minimum: 1 },
        }),
        answer: () => ({ json: { containerId: '7' } }),
      },
      'GET /api/v2/agents/fetch-output': {
        query: fields({ 'id!': id }),
        answer: () => ({ json: { status: 'finished', containerId: '7', output: 'Done', outputPos: 4 } }),
      },
      'GET /api/v2/containers/fetch-result-object': {
        query: fields({ 'id!': id }),
        answer: () => ({ json: { resultObject: '[{"general":{"fullName":"Ada"}},{"general":{"fullName":"Grace"}}]' } }),
      },
    },
  });
}
