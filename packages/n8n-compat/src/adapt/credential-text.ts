import type { JsonObject, JsonValue } from '@sluice/domain';
import { evaluateCredentialExpression, evaluateCredentialExpressionValue } from '@sluice/node-sdk';
import { plainData } from '../plain-data.ts';

/**
 * Evaluates a credential type's string with a credential's data. Text without a leading `=` is
 * returned as is.
 */
export function credentialText(value: JsonValue | undefined, data: JsonObject): string {
  if (typeof value !== 'string') return value === undefined || value === null ? '' : String(value);
  return value.startsWith('=') ? evaluateCredentialExpression(value, { $credentials: data, $self: data }) : value;
}

/**
 * Evaluates a string to a value, such as all headers at once. The result may contain secrets that
 * users entered: never evaluate it again.
 */
export function credentialValue(text: string, data: JsonObject): JsonValue | undefined {
  return text.startsWith('=') ? plainData(evaluateCredentialExpressionValue(text, { $credentials: data, $self: data })) : text;
}
