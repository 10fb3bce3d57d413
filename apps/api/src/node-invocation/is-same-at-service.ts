import { isDeepStrictEqual } from 'node:util';
import type { RegistrationSubject } from '@sluice/db';

/**
 * Whether two activations need the same registration. The node position and the workflow name do
 * not matter to a service.
 */
export function isSameAtService(one: RegistrationSubject, other: RegistrationSubject): boolean {
  return isDeepStrictEqual(relevantParts(one), relevantParts(other));
}

function relevantParts({ node, urls, routes, timezone }: RegistrationSubject) {
  const { type, typeVersion, parameters, credentials } = node;
  return { type, typeVersion, parameters, credentials, urls, routes, timezone };
}
