import { membersOf, plainMembers } from '../definition/plain-members.ts';
import type { CredentialTypeSource } from './credential.ts';

/** All members that the loader reads. */
const credentialMembers = membersOf<CredentialTypeSource>({
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

/** Same as `plainNodeType`, for the source of a credential type. */
export function plainCredentialType(source: CredentialTypeSource): CredentialTypeSource {
  return plainMembers(source, credentialMembers);
}
