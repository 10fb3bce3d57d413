import type { JsonObject } from '@sluice/domain';
import type { CredentialType } from '@sluice/node-sdk';
import type { RedactionRules } from '@sluice/vault';

/** The secret fields of a credential type. All fields of an unknown type are secret. */
export function redactionRulesOf(type: Pick<CredentialType, 'schema' | 'secretFields'> | undefined): RedactionRules {
  const { properties = {} } = (type?.schema ?? {}) as { properties?: JsonObject };
  return { knownFields: new Set(Object.keys(properties)), secretFields: new Set(type?.secretFields) };
}
