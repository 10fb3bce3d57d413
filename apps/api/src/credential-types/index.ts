import { getCredentialType } from './get-credential-type.ts';
import { listCredentialTypes } from './list-credential-types.ts';

export const credentialTypeRoutes = [listCredentialTypes, getCredentialType];
