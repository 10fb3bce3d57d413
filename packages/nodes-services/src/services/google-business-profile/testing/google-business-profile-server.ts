import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const page = { 'pageSize!': { type: 'string', pattern: '^\\d{1,3}$' }, pageToken: { const: 'p2' } };
const location = '/v4/accounts/:account/locations/:location';
const headers = { authorization: /^Bearer ya29$/ };
const review = { name: 'accounts/1/locations/2/reviews/r1', starRating: 'FIVE', comment: 'Great' };

/** A list with two pages of one element. */
const pages = (list: string, first: object, second: object) => ({
  answer: ({ query }: { query: Record<string, unknown> }) => ({
    json: query['pageToken'] === 'p2' ? { [list]: [second] } : { [list]: [first], nextPageToken: 'p2' },
  }),
});

/** https://developers.google.com/my-business/reference/rest, for the token `ya29`. */
export function googleBusinessProfileServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://mybusiness.googleapis.com',
    headers,
    routes: {
      [`GET ${location}/reviews`]: { query: fields(page), ...pages('reviews', review, { ...review, starRating: 'ONE' }) },
      [`GET ${location}/reviews/:review`]: { answer: () => ({ json: review }) },
      [`PUT ${location}/reviews/:review/reply`]: {
        body: fields({ 'comment!': text }),
        answer: ({ body }) => ({ json: { ...(body as object), updateTime: '2026-01-31T12:00:00Z' } }),
      },
      [`DELETE ${location}/reviews/:review/reply`]: { answer: () => ({ json: {} }) },
      [`GET ${location}/localPosts`]: { query: fields(page), ...pages('localPosts', { name: 'a' }, { name: 'b' }) },
      [`POST ${location}/localPosts`]: {
        body: fields({
          'topicType!': { const: 'STANDARD' },
          'summary!': text,
          languageCode: text,
          callToAction: fields({ 'actionType!': text, url: text }),
        }),
        answer: ({ body }) => ({ json: { name: 'p', ...(body as object) } }),
      },
      [`GET ${location}/localPosts/:post`]: { answer: ({ params }) => ({ json: { name: params['post'] } }) },
      [`DELETE ${location}/localPosts/:post`]: { answer: () => ({ json: {} }) },
    },
  });
}

/** https://developers.google.com/my-business/reference/accountmanagement/rest */
export function googleAccountsServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://mybusinessaccountmanagement.googleapis.com',
    headers,
    routes: {
      'GET /v1/accounts': {
        query: fields(page),
        ...pages('accounts', { name: 'accounts/1', accountName: 'Acme' }, { name: 'accounts/3', accountName: 'Other' }),
      },
    },
  });
}

/** https://developers.google.com/my-business/reference/businessinformation/rest */
export function googleLocationsServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://mybusinessbusinessinformation.googleapis.com',
    headers,
    routes: {
      'GET /v1/accounts/:account/locations': {
        query: fields({ ...page, 'readMask!': { const: 'name,title' } }),
        ...pages('locations', { name: 'locations/2', title: 'Shop' }, { name: 'locations/4', title: 'Café' }),
      },
    },
  });
}
