import { ApiClient } from '../../shared/api-client.ts';
import { objectOf, textOf } from '../../shared/json-values.ts';
import { cursorPaging } from '../../shared/paging.ts';

/** https://developer.todoist.com/api/v1/ */
export const todoistClient = new ApiClient({
  service: 'Todoist',
  credentialType: ({ parameter }) =>
    parameter<string>('authentication', 'apiKey') === 'oAuth2' ? 'todoistOAuth2Api' : 'todoistApi',
  baseUrl: 'https://api.todoist.com/api/v1',
  refusalOf({ body }) {
    const { error, error_tag: code, error_extra: extra } = objectOf(body);
    const seconds = Number(objectOf(extra)['retry_after'] ?? Number.NaN);
    return {
      ...(textOf(error) !== '' && { text: textOf(error) }),
      ...(textOf(code) !== '' && { code: textOf(code) }),
      ...(Number.isFinite(seconds) && { retryAfterMs: Math.max(1, seconds) * 1_000 }),
    };
  },
});

/** Versions whose project is a resource locator. */
export const locatedVersions = [2, 2.1];

/** Maximum number of elements per page of a list. */
export const pageSize = 200;

export const pages = cursorPaging('results', 'next_cursor', 'cursor');
