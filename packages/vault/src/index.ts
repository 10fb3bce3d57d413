export { checkCanary } from './canary.ts';
export { DerivedMac, isSameSecret } from './derived-mac.ts';
export { KeyRing } from './key-ring.ts';
export { generateMasterKey } from './master-key.ts';
export { MessageSeal } from './message-seal.ts';
export { openFresh, type RenewalStore } from './open-fresh.ts';
export {
  hasRedacted,
  type RedactionRules,
  redact,
  redactedText,
  restoreRedacted,
  secretValues,
} from './redaction.ts';
export { ResumeTokens } from './resume-tokens.ts';
export { rotateMasterKey } from './rotate-master-key.ts';
export { hasMoreSecrets, SecretScrubber } from './secret-scrubber.ts';
export { type SealedRecord, type SealedSubject, Vault } from './vault.ts';
