import { type ApiRoute, type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const url = { type: 'string', pattern: '^https://' };
const file = {
  anyOf: [fields({ 'link!': url, caption: text, filename: text }), fields({ 'id!': text, caption: text, filename: text })],
};
const template = fields({
  'name!': text,
  'language!': fields({ 'code!': text }),
  components: {
    type: 'array',
    items: fields({
      'type!': { enum: ['body', 'button', 'header'] },
      sub_type: { enum: ['quick_reply', 'url'] },
      index: { type: 'string', pattern: '^\\d$' },
      'parameters!': { type: 'array', items: { type: 'object', required: ['type'] } },
    }),
  },
});
const contact = fields({
  'name!': { type: 'object', required: ['formatted_name'] },
  birthday: text,
  addresses: { type: 'array' },
  emails: { type: 'array' },
  org: { type: 'object' },
  phones: { type: 'array', items: fields({ type: text, phone: text, wa_id: text }) },
  urls: { type: 'array' },
});
const message = fields({
  'messaging_product!': { const: 'whatsapp' },
  'recipient_type!': { const: 'individual' },
  'to!': { type: 'string', pattern: '^\\d+$' },
  'type!': { enum: ['audio', 'contacts', 'document', 'image', 'interactive', 'location', 'template', 'text', 'video'] },
  text: fields({ 'body!': { type: 'string', maxLength: 4_096 }, preview_url: { type: 'boolean' } }),
  audio: file,
  document: file,
  image: file,
  video: file,
  location: fields({ 'longitude!': { type: 'number' }, 'latitude!': { type: 'number' }, name: text, address: text }),
  contacts: { type: 'array', items: contact, minItems: 1 },
  interactive: { type: 'object', required: ['type', 'body', 'action'] },
  template,
});

const answer = (json: unknown): Pick<ApiRoute, 'answer'> => ({ answer: () => ({ json }) });
const token = { authorization: /^Bearer t$/ };
const app = { authorization: /^Bearer 7\|secret$/ };

const routes: Readonly<Record<string, ApiRoute>> = {
  'POST /v23.0/15550001/messages': {
    headers: token,
    body: message,
    ...answer({
      messaging_product: 'whatsapp',
      contacts: [{ input: '14155238886', wa_id: '14155238886' }],
      messages: [{ id: 'wamid.1' }],
    }),
  },
  'POST /v23.0/15550001/media': {
    headers: token,
    body: fields({ 'messaging_product!': { const: 'whatsapp' }, 'type!': text, 'file!': { type: 'object' } }),
    ...answer({ id: 'm1' }),
  },
  'GET /v23.0/m1': {
    headers: token,
    ...answer({ id: 'm1', url: 'https://graph.facebook.com/file', mime_type: 'audio/ogg', file_size: 5 }),
  },
  'DELETE /v23.0/m1': { headers: token, ...answer({ success: true }) },
  'GET /file': { headers: token, answer: () => ({ text: 'sound', headers: { 'content-type': 'audio/ogg' } }) },
  'GET /v23.0/42/phone_numbers': {
    headers: token,
    query: fields({ limit: text, after: text }),
    ...answer({ data: [{ id: '15550001', display_phone_number: '+1 555 0001', verified_name: 'Acme' }] }),
  },
  'GET /v23.0/42/message_templates': {
    headers: token,
    query: fields({ limit: text, after: text }),
    ...answer({ data: [{ name: 'hello_world', language: 'en_US' }] }),
  },
  'GET /v23.0/7/subscriptions': { headers: app, ...answer({ data: [] }) },
  'POST /v23.0/7/subscriptions': {
    headers: app,
    type: /urlencoded/,
    body: fields({ 'object!': text, 'callback_url!': url, 'fields!': text, 'verify_token!': text }),
    ...answer({ success: true }),
  },
  'DELETE /v23.0/7/subscriptions': { headers: app, query: fields({ 'object!': text }), ...answer({ success: true }) },
};

/** https://developers.facebook.com/docs/whatsapp/cloud-api, and an app's subscriptions. */
export function whatsAppServer(): Promise<ApiServer> {
  return apiServer({ baseUrl: 'https://graph.facebook.com', routes });
}
