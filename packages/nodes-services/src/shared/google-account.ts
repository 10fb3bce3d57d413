import { choice, choices, when, where } from '@sluice/nodes-base/node-tools';
import type { ServiceSource } from './define-service.ts';

const kinds = choices(['oAuth2', 'OAuth2'], ['serviceAccount', 'Service Account']);

/**
 * The choice between a user (`oAuth2`) and a service account, and their credentials.
 * `byServiceAccount`: versions whose default is a service account; see `googleClient`.
 */
export function googleAccount(
  oAuth2: string,
  { version, byServiceAccount = [] }: { version: readonly number[]; byServiceAccount?: readonly number[] },
): Required<Pick<ServiceSource, 'credentials' | 'leading'>> {
  const others = version.filter((one) => !byServiceAccount.includes(one));
  const chosen = (more: object) => choice('authentication', 'Authentication', kinds, more);
  return {
    credentials: [
      { name: oAuth2, required: true, ...where({ authentication: ['oAuth2'] }) },
      { name: 'googleApi', required: true, ...where({ authentication: ['serviceAccount'] }) },
    ],
    leading:
      byServiceAccount.length === 0
        ? [chosen({})]
        : [chosen({ default: 'serviceAccount', ...when(byServiceAccount) }), chosen(when(others))],
  };
}
