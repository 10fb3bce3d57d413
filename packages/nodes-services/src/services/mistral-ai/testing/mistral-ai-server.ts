import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };

/** https://docs.mistral.ai/api/, for the key `k1`. */
export function mistralAiServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://api.mistral.ai',
    headers: { authorization: /^Bearer k1$/ },
    routes: {
      'POST /v1/files': {
        type: /^multipart\/form-data/,
        body: fields({ 'purpose!': { const: 'ocr' }, 'file!': { type: 'object' } }),
        answer: () => ({ json: { id: 'f1', purpose: 'ocr' } }),
      },
      'GET /v1/files/:id/url': {
        query: fields({ 'expiry!': { const: '1' } }),
        answer: ({ params }) => ({ json: { url: `https://files.example/${params['id']}` } }),
      },
      'DELETE /v1/files/:id': { answer: ({ params }) => ({ json: { id: params['id'], deleted: true } }) },
      'POST /v1/ocr': {
        body: fields({
          'model!': text,
          'document!': {
            oneOf: [
              fields({ 'type!': { const: 'document_url' }, 'document_url!': text }),
              fields({ 'type!': { const: 'image_url' }, 'image_url!': text }),
            ],
          },
        }),
        answer: ({ body }) => ({
          json: { pages: [{ index: 0, markdown: '# Report' }], model: (body as { model: string }).model },
        }),
      },
    },
  });
}
