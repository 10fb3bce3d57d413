import { optionalCredentialText } from '@sluice/node-sdk';
import { withoutFinalSlashes } from '@sluice/nodes-base/node-tools';
import { ApiClient } from '../../shared/api-client.ts';
import { objectOf } from '../../shared/json-values.ts';

const hints: ReadonlyMap<string, string> = new Map([
  ['42P01', 'Check the table and its schema: there is no such table'],
  ['42703', 'Check the columns: the table has no such column'],
  ['42501', 'Use the service role secret, or allow the change by a policy of the table'],
  ['23505', 'Another row has the same value in a unique column'],
  ['PGRST106', 'Expose the schema: project settings, API, exposed schemas'],
  ['PGRST204', 'Check the columns: the table has no such column'],
  ['PGRST205', 'Check the table and its schema: there is no such table'],
]);

/** The REST API of a project: https://docs.postgrest.org/en/v12/references/api.html */
export const supabaseClient = new ApiClient({
  service: 'Supabase',
  credentialType: 'supabaseApi',
  baseUrl: (credential) => `${withoutFinalSlashes(optionalCredentialText(credential, 'host'))}/rest/v1`,
  refusalOf({ body }) {
    const { code, message, details, hint } = objectOf(body);
    const advice = [hint, details].filter((text) => typeof text === 'string' && text !== '').join('. ');
    return {
      ...(typeof code === 'string' && { code }),
      ...(typeof message === 'string' && { text: message }),
      hint: (typeof code === 'string' ? hints.get(code) : undefined) ?? (advice || undefined),
    };
  },
});
