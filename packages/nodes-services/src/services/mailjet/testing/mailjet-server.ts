import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const person = fields({ 'Email!': { type: 'string', pattern: '^[^@\\s]+@[^@\\s]+$' }, Name: text });
const people = { type: 'array', items: person, minItems: 1, maxItems: 50 };
const file = fields({ 'ContentType!': text, 'Filename!': text, 'Base64Content!': text });
const message = fields({
  'From!': person,
  'To!': people,
  Cc: people,
  Bcc: people,
  ReplyTo: person,
  Subject: { type: 'string' },
  TextPart: text,
  HTMLPart: text,
  TemplateID: { type: 'integer' },
  TemplateLanguage: { type: 'boolean' },
  Variables: { type: 'object' },
  CustomID: text,
  Attachments: { type: 'array', items: file },
});

/** https://dev.mailjet.com, for the keys `k1` and `s1`, and the SMS token `t1`. */
export function mailjetServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://api.mailjet.com',
    routes: {
      'POST /v3.1/send': {
        headers: { authorization: new RegExp(`^Basic ${btoa('k1:s1')}$`) },
        body: fields({ 'Messages!': { type: 'array', items: message, minItems: 1, maxItems: 50 } }),
        answer: () => ({ json: { Messages: [{ Status: 'success', To: [{ Email: 'ada@example.com', MessageID: 1 }] }] } }),
      },
      'POST /v4/sms-send': {
        headers: { authorization: /^Bearer t1$/ },
        body: fields({ 'From!': text, 'To!': { type: 'string', pattern: '^\\+?\\d+$' }, 'Text!': text }),
        answer: () => ({ json: { MessageId: 'm1', Status: { Code: 2 } } }),
      },
    },
  });
}
