import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const page = { 'maxResults!': { type: 'string', pattern: '^([1-9]\\d{0,2}|1000)$' }, pageToken: { const: 'p2' } };
const bucketFields = {
  location: text,
  customPlacementConfig: fields({ 'dataLocations!': { type: 'array' } }),
  labels: { type: 'object' },
};
const objectFields = { contentType: text, metadata: { type: 'object' }, cacheControl: text };
const sessionUrl = 'https://storage.googleapis.com/upload/storage/v1/b/reports/o?uploadType=resumable&upload_id=u1';

/**
 * https://cloud.google.com/storage/docs/json_api/v1, for the token `ya29`; every list has two
 * pages.
 */
export function googleCloudStorageServer(): Promise<ApiServer> {
  let stored: Record<string, unknown> = {};
  const list = (name: string) => ({
    answer: ({ query }: { query: Record<string, unknown> }) =>
      query['pageToken'] === 'p2'
        ? { json: { items: [{ name: `${name}2` }] } }
        : { json: { items: [{ name: `${name}1` }], nextPageToken: 'p2' } },
  });
  return apiServer({
    baseUrl: 'https://storage.googleapis.com',
    headers: { authorization: /^Bearer ya29$/ },
    routes: {
      'GET /storage/v1/b': { query: fields({ ...page, 'project!': text }), ...list('b') },
      'POST /storage/v1/b': {
        query: fields({ 'project!': text, predefinedAcl: text }),
        body: fields({ ...bucketFields, 'name!': text }),
        answer: ({ body }) => ({ json: { kind: 'storage#bucket', ...(body as object) } }),
      },
      'GET /storage/v1/b/:bucket': { answer: ({ params }) => ({ json: { name: params['bucket'] } }) },
      'PATCH /storage/v1/b/:bucket': { body: fields(bucketFields), answer: ({ body }) => ({ json: body }) },
      'DELETE /storage/v1/b/:bucket': { answer: () => ({ status: 204 }) },
      'GET /storage/v1/b/:bucket/o': { query: fields({ ...page, prefix: text, delimiter: text }), ...list('o') },
      'GET /storage/v1/b/:bucket/o/:object': {
        query: fields({ alt: { const: 'media' } }),
        answer: ({ query, params }) =>
          query['alt'] === 'media'
            ? { text: 'Hello', headers: { 'content-type': 'text/plain' } }
            : { json: { bucket: params['bucket'], name: params['object'] } },
      },
      'PATCH /storage/v1/b/:bucket/o/:object': { body: fields(objectFields), answer: ({ body }) => ({ json: body }) },
      'DELETE /storage/v1/b/:bucket/o/:object': { answer: () => ({ status: 204 }) },
      'POST /upload/storage/v1/b/:bucket/o': {
        query: fields({ 'uploadType!': { const: 'resumable' }, predefinedAcl: text }),
        headers: { 'x-upload-content-type': /^\w+\/[\w-]+$/, 'x-upload-content-length': /^\d+$/ },
        body: fields({ ...objectFields, 'name!': text }),
        answer({ body, params }) {
          stored = { bucket: params['bucket'], ...(body as object) };
          return { headers: { location: sessionUrl } };
        },
      },
      'PUT /upload/storage/v1/b/:bucket/o': {
        query: fields({ 'uploadType!': { const: 'resumable' }, 'upload_id!': { const: 'u1' } }),
        type: /./,
        body: { type: 'string' },
        answer: ({ body }) => ({ json: { ...stored, size: String(String(body).length) } }),
      },
    },
  });
}
