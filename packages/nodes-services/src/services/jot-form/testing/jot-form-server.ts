import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const digits = { type: 'string', pattern: '^[0-9]+$' };
const content = (value: unknown) => ({ json: { responseCode: 200, message: 'success', content: value } });

const questions = {
  '1': { qid: '1', type: 'control_head', text: 'Welcome', name: 'welcome' },
  '3': { qid: '3', type: 'control_fullname', text: 'Full Name', name: 'fullName' },
  '4': { qid: '4', type: 'control_email', text: 'Email', name: 'email' },
  '5': { qid: '5', type: 'control_fileupload', text: 'Files', name: 'upload' },
};

/** https://api.jotform.com/docs/, for the key `key1` and form 231. */
export function jotFormServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://api.jotform.com',
    headers: { apikey: /^key1$/ },
    routes: {
      'GET /form/:id/questions': { answer: () => content(questions) },
      'GET /form/:id/webhooks': { answer: () => content([]) },
      'POST /form/:id/webhooks': {
        type: /^application\/x-www-form-urlencoded/,
        body: fields({ 'webhookURL!': text }),
        answer: ({ body }) => content({ '0': (body as { webhookURL: string }).webhookURL }),
      },
      'DELETE /form/:id/webhooks/:webhook': { answer: () => content({}) },
      'GET /user/forms': {
        query: fields({ 'limit!': digits, offset: digits }),
        answer: () => content([{ id: '231', title: 'Contact' }]),
      },
    },
  });
}
