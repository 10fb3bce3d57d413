import { isDeepStrictEqual } from 'node:util';
import type { RegistrationSubject } from '@sluice/db';

/** Whether two activations ask a service for the same: where a node stands, say, or what the workflow is called, is nothing to it. */
export function isSameAtService(one: RegistrationSubject, other: RegistrationSubject): boolean {
  return isDeepStrictEqual(askedOf(one), askedOf(other));
}

function askedOf({ node, urls, routes, timezone }: RegistrationSubject) {
  const { type, typeVersion, parameters, credentials } = node;
  return { type, typeVersion, parameters, credentials, urls, routes, timezone };
}
