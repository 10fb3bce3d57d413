export { type CanaryStore, canarySubject, checkCanary } from './canary.ts';
export { CredentialUnreadableError, WrongEncryptionKeyError } from './errors.ts';
export { KeyRing } from './key-ring.ts';
export { generateMasterKey, type MasterKey, parseMasterKey } from './master-key.ts';
export { openFresh, type Renewal, type RenewalStore } from './open-fresh.ts';
export { hasRedacted, type RedactionRules, redact, redactedText, restoreRedacted, secretValues } from './redaction.ts';
export { type RotationReport, type RotationStore, rotateMasterKey } from './rotate-master-key.ts';
export { SecretScrubber } from './secret-scrubber.ts';
export { type SealedRecord, type SealedSubject, Vault, type WrappedKey } from './vault.ts';
