import { isDeepStrictEqual } from 'node:util';
import { type JsonObject, type JsonValue, ownProperty, ValidationError } from '@sluice/domain';
import {
  allowedDomainsField,
  type CredentialType,
  domainsModeField,
  type NodeProperty,
  withoutInstant,
} from '@sluice/node-sdk';
import { redactedText, restoreRedacted } from '@sluice/vault';
import { allowedHostsOf, isNarrower } from './allowed-hosts.ts';
import { redactionRulesOf } from './redaction-rules.ts';
import { sizeIssues } from './size-limits.ts';

/** Data that a caller sends for a stored credential. */
interface SentData {
  stored: JsonObject;
  /** `***REDACTED***` keeps a stored value. */
  sent: JsonObject;
  /** Whether fields that are not sent keep their stored values, too. */
  partial: boolean;
  /** Location of `sent` in the request: `/data`. */
  path: string;
}

/**
 * The sent data, with stored values in place of placeholders. A stored secret is kept only while
 * every field that decides its destination is unchanged: by default all fields that are not secret
 * (see `keepsSecrets`), and secrets that contain an address. A pin (`pinsDestination`) decides it,
 * too, even when it is cleared. If one of these fields changes, tokens issued by the service are
 * dropped, and keeping a secret is a `ValidationError` that names the fields to send again. Sent
 * data over the size limits is also a `ValidationError`, because comparing it with the stored data
 * would take seconds.
 */
export function carrySecrets(type: CredentialType, { stored, sent, partial, path }: SentData): JsonObject {
  const tooLarge = sizeIssues(sent).map((issue) => ({ ...issue, path: `${path}${issue.path}` }));
  if (tooLarge.length > 0) throw new ValidationError('the request is not valid', tooLarge);
  const restored = restoreRedacted(sent, stored, path);
  const data: JsonObject = partial ? { ...stored, ...restored } : { ...restored, ...keptPins(type, stored, restored) };
  const moved = [...new Set([...Object.keys(stored), ...Object.keys(data)])].filter((field) =>
    decidesDestination(type, field, stored, data),
  );
  if (moved.length === 0) return data;
  const keptFields = Object.keys(data).filter(
    (field) => isSecret(type, field) && !isEmpty(data[field]) && (sent[field] === redactedText || !Object.hasOwn(sent, field)),
  );
  const missing = keptFields.filter((field) => !isFromService(type, field));
  if (missing.length > 0) throw mustBeSentAgain(missing, moved, path);
  return Object.fromEntries(Object.entries(data).filter(([field]) => !keptFields.includes(field)));
}

/** Names of the sent fields that differ from the stored ones. */
export function changedFields(stored: JsonObject, sent: JsonObject): string[] {
  return Object.keys(sent).filter(
    (field) => sent[field] !== redactedText && !isDeepStrictEqual(sent[field], ownProperty(stored, field)),
  );
}

function decidesDestination(type: CredentialType, field: string, stored: JsonObject, data: JsonObject): boolean {
  if (field === domainsModeField || field === allowedDomainsField)
    return !isNarrower(allowedHostsOf(type, completed(type, stored)), allowedHostsOf(type, completed(type, data)));
  const property = type.properties.find(({ name }) => name === field);
  const [before, after] = [stored, data].map((values) => {
    const value = ownProperty(values, field);
    return isEmpty(value) ? property?.default : value;
  });
  if (isDeepStrictEqual(before, after)) return false;
  if (property && isPin(property)) return true;
  if (isEmpty(after)) return false;
  if (!property) return !isFromService(type, field);
  if (isSecret(type, field)) return [before, after].some((value) => JSON.stringify(value ?? '').includes('://'));
  return property.typeOptions?.['keepsSecrets'] !== true;
}

/**
 * Whether a field, such as a host key, limits which servers a host may be: without it, more servers
 * are trusted.
 */
function isPin({ typeOptions }: NodeProperty): boolean {
  return typeOptions?.['pinsDestination'] === true;
}

/**
 * Stored pins that the service found itself. Editors do not show them, so omitting a pin does not
 * remove it.
 */
function keptPins(type: CredentialType, stored: JsonObject, sent: JsonObject): JsonObject {
  const hidden = type.properties.filter((property) => property.type === 'hidden' && isPin(property));
  const keptProperties = hidden.filter(({ name }) => Object.hasOwn(stored, name) && isEmpty(ownProperty(sent, name)));
  return Object.fromEntries(keptProperties.map(({ name }) => [name, stored[name] as JsonValue]));
}

function completed(type: CredentialType, data: JsonObject): JsonObject {
  return type.complete?.(data) ?? data;
}

function isSecret(type: CredentialType, field: string): boolean {
  const { knownFields, secretFields } = redactionRulesOf(type);
  return !knownFields.has(field) || secretFields.has(field);
}

/** Whether a field is a token or session of the service, which users cannot send again. */
function isFromService(type: CredentialType, field: string): boolean {
  const isInternal = !Object.hasOwn(withoutInstant({ [field]: null }), field);
  return isInternal || type.properties.some(({ name, type: kind }) => name === field && kind === 'hidden');
}

function isEmpty(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '' || isDeepStrictEqual(value, {});
}

function mustBeSentAgain(fields: readonly string[], moved: readonly string[], path: string): ValidationError {
  const reason = `must be sent again: ${moved.join(', ')} differ from what is stored, so no stored secret is used`;
  return new ValidationError(
    'stored secrets are not sent to another destination',
    fields.map((field) => ({ path: `${path}/${field.slice(0, 128)}`, message: reason })),
  );
}
