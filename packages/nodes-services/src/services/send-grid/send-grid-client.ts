import { ApiClient } from '../../shared/api-client.ts';
import { objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import type { Paging } from '../../shared/paging.ts';

/** https://www.twilio.com/docs/sendgrid/api-reference */
export const sendGridClient = new ApiClient({
  service: 'SendGrid',
  credentialType: 'sendGridApi',
  baseUrl: 'https://api.sendgrid.com/v3',
  refusalOf({ status, headers, body }) {
    const [{ message, field, help } = {}] = objectsOf(objectOf(body)['errors']);
    const resetMs = Number(headers['x-ratelimit-reset'] ?? Number.NaN) * 1_000 - Date.now();
    return {
      ...(textOf(message) !== '' && { text: textOf(message) }),
      ...(textOf(field) !== '' && { code: textOf(field) }),
      ...(textOf(help) !== '' && { hint: textOf(help) }),
      ...(status === 429 && Number.isFinite(resetMs) && { retryAfterMs: Math.max(1_000, resetMs) }),
    };
  },
});

/** Pages of lists and templates: the next page's URL in the body. */
export const pages: Paging = {
  list: 'result',
  next({ body }) {
    const token = /[?&]page_token=([^&]+)/.exec(textOf(objectOf(objectOf(body)['_metadata'])['next']).slice(0, 10_000))?.[1];
    return token === undefined ? undefined : { query: { page_token: decodeURIComponent(token) } };
  },
};
