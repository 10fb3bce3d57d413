import { isDeepStrictEqual } from 'node:util';
import type { LeasedRegistration, RegistrationSubject } from '@sluice/db';

/** One registration in progress. */
export class RegistrationStep {
  readonly row: LeasedRegistration;
  readonly lease: { id: string; heldBy: string };
  readonly subject: RegistrationSubject;
  /** Whether the state at the service may differ from the row. */
  touched = false;
  /** The registration that may exist instead of the one in the row. */
  replacement: RegistrationSubject | null;

  constructor(row: LeasedRegistration, heldBy: string, subject: RegistrationSubject) {
    this.row = row;
    this.lease = { id: row.id, heldBy };
    this.replacement = row.replacement;
    this.subject = subject;
  }
}

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
