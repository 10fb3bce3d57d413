import type { JsonObject, JsonValue } from '@sluice/domain';
import { evaluateCredentialExpression } from '@sluice/node-sdk';
import type { CommunityProperty } from '../community-types.ts';

type Default = Pick<CommunityProperty, 'name' | 'default'>;

/**
 * Fills empty fields with the type's defaults, which may be computed from other fields with
 * `$self`.
 */
export function withCredentialDefaults(data: JsonObject, properties: readonly Default[]): JsonObject {
  const filled: JsonObject = { ...data };
  for (const { name, default: initial } of properties) {
    const isMissing =
      filled[name] === undefined || (filled[name] === '' && typeof initial === 'string' && initial.startsWith('='));
    if (isMissing && initial !== undefined) filled[name] = initial;
  }
  return Object.fromEntries(
    Object.entries(filled).map(([name, value]) => [name, resolvedDefault(name, value, filled, properties)]),
  );
}

/** Only expressions of the type's definition are evaluated, never user input. */
function resolvedDefault(name: string, value: JsonValue, data: JsonObject, properties: readonly Default[]): JsonValue {
  const initial = properties.find((property) => property.name === name)?.default;
  if (typeof value !== 'string' || value !== initial || !value.startsWith('=')) return value;
  return evaluateCredentialExpression(value, { $self: data, $credentials: data });
}
