import { optionalCredentialText } from '@sluice/node-sdk';
import { withoutFinalSlashes } from '@sluice/nodes-base/node-tools';
import { ApiClient } from '../../shared/api-client.ts';
import { objectOf } from '../../shared/json-values.ts';
import type { Paging } from '../../shared/paging.ts';

/**
 * https://data-apis-v2.nocodb.com/; versions 1 and 2 of the node use
 * https://data-apis-v1.nocodb.com/
 */
export const nocoDbClient = new ApiClient({
  service: 'NocoDB',
  credentialType: ({ parameter }) =>
    parameter<string>('authentication', 'nocoDb') === 'nocoDbApiToken' ? 'nocoDbApiToken' : 'nocoDb',
  baseUrl: (credential) => withoutFinalSlashes(optionalCredentialText(credential, 'host')),
  refusalOf({ body }) {
    const { error, msg, message } = objectOf(body);
    const text = [msg, message].find((one) => typeof one === 'string' && one !== '');
    return { ...(typeof error === 'string' && { code: error }), ...(typeof text === 'string' && { text }) };
  },
});

/** Maximum number of rows per page of a list. */
export const pageSize = 100;

export const pages: Paging = {
  list: 'list',
  next({ body }, count) {
    const { isLastPage } = objectOf(objectOf(body)['pageInfo']);
    return isLastPage === false && count > 0 ? { query: { offset: count } } : undefined;
  },
};
