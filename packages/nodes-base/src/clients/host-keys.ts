import { createHash } from 'node:crypto';
import { AppError, isJsonObject, type JsonObject, optionalCredentialText, ownProperty } from '@sluice/node-sdk';
import { stringOf } from '../shared/coerced-text.ts';
import { hostOf, numberOf } from './client-data.ts';

/** SSH credential fields that define the trusted host keys. */
export const hostKeyFields = {
  /** Pinned fingerprints, separated by commas or white space. */
  pinned: 'hostKeyFingerprints',
  /** Whether the key of the first connection is stored and trusted from then on. */
  trustFirst: 'trustFirstHostKey',
  /** `{host, port, fingerprint}` of that first connection. */
  trusted: 'trustedHostKey',
} as const;

const fingerprintShape = /^SHA256:[A-Za-z0-9+/]{43}=?$/;

/** Fingerprint of a public host key, as OpenSSH prints it: `SHA256:` and base64 without padding. */
export function fingerprintOf(key: Uint8Array): string {
  return `SHA256:${withoutPadding(createHash('sha256').update(key).digest('base64'))}`;
}

/**
 * Fingerprints that a connection accepts. Empty: the credential contains no fingerprint, so every
 * key is accepted.
 */
export function trustedFingerprints(data: JsonObject): readonly string[] {
  const pinned = pinnedIn(data);
  if (pinned.length > 0) return pinned.map(withoutPadding);
  const first = trustsFirst(data) ? storedFingerprint(data) : undefined;
  return first === undefined ? [] : [first];
}

/** Whether the host key of the first connection has yet to be fetched and stored. */
export function needsFirstKey(data: JsonObject): boolean {
  return trustsFirst(data) && trustedFingerprints(data).length === 0;
}

/** The credential data with the host key of the first connection. */
export function withFirstKey(data: JsonObject, fingerprint: string): JsonObject {
  return { ...data, [hostKeyFields.trusted]: { ...serverOf(data), fingerprint } };
}

/** Why the pinned fingerprints are invalid; `undefined` if they are valid. */
export function fingerprintProblem(data: JsonObject): string | undefined {
  const wrong = pinnedIn(data).find((entry) => !fingerprintShape.test(entry));
  if (wrong === undefined) return undefined;
  return `${JSON.stringify(wrong.slice(0, 80))} in ${hostKeyFields.pinned} is not a fingerprint as "ssh-keygen -l" prints it: SHA256:…`;
}

export function hostKeyNotTrusted(presented: string): AppError {
  return new AppError({
    code: 'HOST_KEY_NOT_TRUSTED',
    message: `the server presented the host key ${presented}, which the credential does not trust; nothing was sent`,
    details: { fingerprint: presented },
  });
}

/** A later key exchange on the connection presented another key. */
export function hostKeyChanged(first: string, presented: string): AppError {
  return new AppError({
    code: 'HOST_KEY_NOT_TRUSTED',
    message: `the server changed its host key within the connection, from ${first} to ${presented}; the connection was closed`,
    details: { fingerprint: presented },
  });
}

function trustsFirst(data: JsonObject): boolean {
  return ownProperty(data, hostKeyFields.trustFirst) === true;
}

function pinnedIn(data: JsonObject): string[] {
  return optionalCredentialText(data, hostKeyFields.pinned)
    .split(/[\s,]+/)
    .filter((entry) => entry !== '');
}

/** The stored fingerprint, valid only for the host and port it was fetched from. */
function storedFingerprint(data: JsonObject): string | undefined {
  const stored = ownProperty(data, hostKeyFields.trusted);
  const { host, port } = serverOf(data);
  if (!isJsonObject(stored) || stored['host'] !== host || stored['port'] !== port) return undefined;
  return stringOf(stored['fingerprint']);
}

function serverOf(data: JsonObject): { host: string; port: number } {
  return { host: hostOf(data), port: numberOf(data, 'port', 22) };
}

function withoutPadding(text: string): string {
  return text.replace(/={1,2}$/, '');
}
