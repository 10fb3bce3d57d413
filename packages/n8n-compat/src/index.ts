export { adaptCredentialType, type FindCredentialType } from './adapt/adapt-credential-type.ts';
export { adaptNodeType } from './adapt/adapt-node-type.ts';
export { checkCommunityCredentialType, checkCommunityNodeType } from './adapt/check-community-type.ts';
export type { CommunityCredentialType, CommunityNodeType } from './community-types.ts';
export { requireFile, shimImportsWithin, takeMissingExports } from './resolve-imports.ts';
export { logModulesTo } from './workflow-module/logger-proxy.ts';
