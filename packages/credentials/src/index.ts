export { allowedDomainsIssues } from './allowed-hosts.ts';
export { carrySecrets, changedFields } from './carry-secrets.ts';
export {
  CredentialOpener,
  type CredentialOpenerOptions,
} from './credential-opener.ts';
export { CredentialSession, type SessionOptions } from './credential-session.ts';
export type { CredentialUser, FoundCredential } from './credential-user.ts';
export { guardedPorts } from './guarded-ports.ts';
export { redactionRulesOf } from './redaction-rules.ts';
export { sizeIssues } from './size-limits.ts';
