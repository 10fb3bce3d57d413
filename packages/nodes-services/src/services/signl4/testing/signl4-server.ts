import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };

/** https://docs.signl4.com/integrations/webhook/webhook.html, for the team `team1`. */
export function signl4Server(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://connect.signl4.com',
    routes: {
      'POST /webhook/team1': {
        body: {
          oneOf: [
            fields({
              'Message!': text,
              'X-S4-Status!': { const: 'new' },
              Title: text,
              'X-S4-AlertingScenario': { enum: ['single_ack', 'multi_ack', 'emergency'] },
              'X-S4-ExternalID': text,
              'X-S4-Location': { type: 'string', pattern: '^-?[\\d.]+,-?[\\d.]+$' },
              'X-S4-Service': text,
            }),
            fields({ 'X-S4-ExternalID!': text, 'X-S4-Status!': { const: 'resolved' } }),
          ],
        },
        answer: () => ({ status: 201, json: { eventId: 'e1' } }),
      },
    },
  });
}
