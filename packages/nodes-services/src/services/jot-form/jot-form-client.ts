import { optionalCredentialText } from '@sluice/node-sdk';
import { ApiClient } from '../../shared/api-client.ts';
import { objectOf } from '../../shared/json-values.ts';

/** https://api.jotform.com/docs/ */
export const jotFormClient = new ApiClient({
  service: 'Jotform',
  credentialType: 'jotFormApi',
  baseUrl: (credential) => `https://${optionalCredentialText(credential, 'apiDomain', 'api.jotform.com')}`,
  refusesWithSuccess: true,
  refusalOf({ status, body }) {
    const { responseCode, message } = objectOf(body);
    const isRefused = status < 200 || status > 299 || (typeof responseCode === 'number' && responseCode >= 400);
    if (!isRefused) return undefined;
    return {
      ...(typeof responseCode === 'number' && { code: responseCode }),
      ...(typeof message === 'string' && { text: message }),
    };
  },
});
