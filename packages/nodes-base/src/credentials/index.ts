export { baseCredentialTypes } from './base-credential-types.ts';
export { type CredentialTypeRegistry, createCredentialTypeRegistry } from './credential-type-registry.ts';
