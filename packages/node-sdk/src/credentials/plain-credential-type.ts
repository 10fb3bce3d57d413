import { membersOf, plainMembers } from '../definition/plain-members.ts';
import type { CredentialTypeDefinition } from './credential.ts';

/** All members that the loader reads. */
const credentialMembers = membersOf<CredentialTypeDefinition>({
  name: true,
  displayName: true,
  documentation: true,
  extends: true,
  properties: true,
  authenticate: true,
  answerChallenge: true,
  hosts: true,
  renewal: true,
  preAuthentication: true,
  consent: true,
  revocation: true,
  complete: true,
  ownApiField: true,
  ownApiKeyField: true,
  problemOf: true,
  test: true,
});

/** Same as `plainNodeType`, for the definition of a credential type. */
export function plainCredentialType(definition: CredentialTypeDefinition): CredentialTypeDefinition {
  return plainMembers(definition, credentialMembers);
}
