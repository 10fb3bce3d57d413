import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

/** The server's account. */
export const account = { accountSid: 'AC1', authType: 'authToken', authToken: 'secret' };

const form = /^application\/x-www-form-urlencoded/;
const url = { type: 'string', pattern: '^https?://' };
const address = { type: 'string', pattern: '^(whatsapp:)?\\+[0-9]{3,15}$' };
const number = { type: 'string', pattern: '^\\+[0-9]{3,15}$' };

/** Messages and calls of https://www.twilio.com/docs/openapi (twilio_api_v2010). */
export function twilioServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://api.twilio.com',
    headers: { authorization: new RegExp(`^Basic ${Buffer.from('AC1:secret').toString('base64')}$`) },
    routes: {
      'POST /2010-04-01/Accounts/AC1/Messages.json': {
        type: form,
        body: fields({
          'From!': address,
          'To!': address,
          'Body!': { type: 'string', minLength: 1, maxLength: 1600 },
          StatusCallback: url,
        }),
        answer: () => ({ status: 201, json: { sid: 'SM1', status: 'queued' } }),
      },
      'POST /2010-04-01/Accounts/AC1/Calls.json': {
        type: form,
        body: fields({
          'From!': number,
          'To!': number,
          'Twiml!': { type: 'string', pattern: '^<Response>.*</Response>$', maxLength: 4000 },
          StatusCallback: url,
        }),
        answer: () => ({ status: 201, json: { sid: 'CA1', status: 'queued' } }),
      },
    },
  });
}
