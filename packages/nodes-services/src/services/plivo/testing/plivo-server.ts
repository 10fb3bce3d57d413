import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const url = { type: 'string', pattern: '^https?://' };

/** https://www.plivo.com/docs/messaging/api, for the account `MA1` and the token `t1`. */
export function plivoServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://api.plivo.com',
    headers: { authorization: new RegExp(`^Basic ${btoa('MA1:t1')}$`) },
    routes: {
      'POST /v1/Account/MA1/Message/': {
        body: {
          oneOf: [
            fields({ 'src!': text, 'dst!': text, 'text!': text }),
            fields({
              'src!': text,
              'dst!': text,
              text,
              'type!': { const: 'mms' },
              'media_urls!': { type: 'array', items: url },
            }),
          ],
        },
        answer: () => ({ status: 202, json: { message: 'message(s) queued', message_uuid: ['m1'], api_id: 'a1' } }),
      },
      'POST /v1/Account/MA1/Call/': {
        body: fields({ 'from!': text, 'to!': text, 'answer_url!': url, 'answer_method!': { enum: ['GET', 'POST'] } }),
        answer: () => ({ status: 201, json: { message: 'call fired', request_uuid: 'r1', api_id: 'a1' } }),
      },
    },
  });
}
