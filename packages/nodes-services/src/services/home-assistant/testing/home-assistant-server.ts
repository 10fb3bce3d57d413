import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };

/** https://developers.home-assistant.io/docs/api/rest/, for the token `t1`. */
export function homeAssistantServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://home.test',
    headers: { authorization: /^Bearer t1$/ },
    routes: {
      'GET /api/states': { answer: () => ({ json: [{ entity_id: 'a.b' }, { entity_id: 'c.d' }] }) },
      'GET /api/states/:id': { answer: ({ params }) => ({ json: { entity_id: params['id'], state: 'on' } }) },
      'POST /api/states/:id': {
        body: fields({ 'state!': text, attributes: { type: 'object' } }),
        answer: ({ params, body }) => ({ status: 201, json: { entity_id: params['id'], ...(body as object) } }),
      },
      'GET /api/services': { answer: () => ({ json: [{ domain: 'light', services: {} }] }) },
      'POST /api/services/:domain/:service': {
        body: { type: 'object' },
        answer: ({ body }) => ({ json: [{ entity_id: (body as { entity_id: string }).entity_id, state: 'on' }] }),
      },
      'GET /api/events': { answer: () => ({ json: [{ event: 'state_changed', listener_count: 5 }] }) },
      'GET /api/config': { answer: () => ({ json: { location_name: 'Home' } }) },
      'POST /api/config/core/check_config': { answer: () => ({ json: { result: 'valid', errors: null } }) },
      'POST /api/template': { body: fields({ 'template!': text }), answer: () => ({ text: 'It is 21 degrees' }) },
    },
  });
}
