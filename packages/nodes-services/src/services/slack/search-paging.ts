import { isJsonObject } from '@sluice/node-sdk';
import type { Paging } from '../../shared/paging.ts';

/** Search results have numbered pages. */
export const slackSearchPaging: Paging = {
  list: 'messages.matches',
  next: ({ body }) => {
    const messages = isJsonObject(body) ? body['messages'] : undefined;
    const { page, pages } = (isJsonObject(messages) && isJsonObject(messages['paging']) ? messages['paging'] : {}) as {
      page?: number;
      pages?: number;
    };
    return page !== undefined && pages !== undefined && page < pages ? { query: { page: page + 1 } } : undefined;
  },
};
