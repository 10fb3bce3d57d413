import { authorizeCredential } from './authorize-credential.ts';
import { createCredential } from './create-credential.ts';
import { deleteCredential } from './delete-credential.ts';
import { getCredential } from './get-credential.ts';
import { getCredentialSchema } from './get-credential-schema.ts';
import { listCredentials } from './list-credentials.ts';
import { newCredentialName } from './new-credential-name.ts';
import { shareCredential } from './share-credential.ts';
import { testCredential } from './test-credential.ts';
import { transferCredential } from './transfer-credential.ts';
import { updateCredential } from './update-credential.ts';

/** `new` comes before `:credentialId`, which would match it too. */
export const credentialRoutes = [
  listCredentials,
  createCredential,
  newCredentialName,
  getCredentialSchema,
  testCredential,
  getCredential,
  updateCredential,
  deleteCredential,
  authorizeCredential,
  shareCredential,
  transferCredential,
];
