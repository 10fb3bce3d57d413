export { allowedDomainsIssues, allowedHostsOf, assertHostAllowed, isNarrower } from './allowed-hosts.ts';
export { carrySecrets, changedFields } from './carry-secrets.ts';
export {
  CredentialOpener,
  type CredentialOpenerOptions,
  type CredentialRenewals,
  type OpenedCredential,
} from './credential-opener.ts';
export { CredentialSession, type SessionOptions } from './credential-session.ts';
export type { CredentialUseEntry, CredentialUser, FoundCredential, UsedBy } from './credential-user.ts';
export { CredentialNotAccessibleError, CredentialNotFoundError } from './errors.ts';
export { guardedPorts, guardedRenewal } from './guarded-ports.ts';
export { redactionRulesOf } from './redaction-rules.ts';
export { sizeIssues } from './size-limits.ts';
