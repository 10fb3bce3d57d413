import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const image = { type: 'string', pattern: '^urn:li:image:' };
const url = { type: 'string', pattern: '^https://' };
const versioned = { 'linkedin-version': /^20\d{4}$/, 'x-restli-protocol-version': /^2\.0\.0$/ };

/** https://learn.microsoft.com/linkedin/marketing/community-management/shares/posts-api */
export function linkedInServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://api.linkedin.com',
    headers: { authorization: /^Bearer t$/ },
    routes: {
      'GET /v2/userinfo': { answer: () => ({ json: { sub: 'me', name: 'Ann' } }) },
      'POST /rest/posts': {
        headers: versioned,
        body: fields({
          'author!': { type: 'string', pattern: '^urn:li:(person|organization):\\w+$' },
          'commentary!': { type: 'string' },
          'visibility!': { enum: ['PUBLIC', 'CONNECTIONS'] },
          'distribution!': fields({
            'feedDistribution!': { const: 'MAIN_FEED' },
            'targetEntities!': { type: 'array' },
            'thirdPartyDistributionChannels!': { type: 'array' },
          }),
          'lifecycleState!': { const: 'PUBLISHED' },
          'isReshareDisabledByAuthor!': { type: 'boolean' },
          content: {
            oneOf: [
              fields({ 'media!': fields({ 'id!': image, title: text }) }),
              fields({ 'article!': fields({ 'source!': url, 'title!': text, description: text, thumbnail: image }) }),
            ],
          },
        }),
        answer: () => ({ status: 201, headers: { 'x-restli-id': 'urn:li:share:1' } }),
      },
      'POST /rest/images': {
        headers: versioned,
        query: fields({ 'action!': { const: 'initializeUpload' } }),
        body: fields({ 'initializeUploadRequest!': fields({ 'owner!': text }) }),
        answer: () => ({ json: { value: { uploadUrl: 'https://api.linkedin.com/upload/1', image: 'urn:li:image:1' } } }),
      },
      'PUT /upload/1': { type: /^image\/png/, body: { const: 'bytes' }, answer: () => ({ status: 201 }) },
    },
  });
}
