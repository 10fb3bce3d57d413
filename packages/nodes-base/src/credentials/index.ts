export { baseCredentialTypes } from './base-credential-types.ts';
export {
  type CredentialTypeRegistry,
  createCredentialTypeRegistry,
  reservedCredentialNames,
  withPackageTypes,
} from './credential-type-registry.ts';
export { verifyJwt } from './jwt-auth.ts';
export { type SignatureRule, signatureRule } from './webhook-signature.ts';
