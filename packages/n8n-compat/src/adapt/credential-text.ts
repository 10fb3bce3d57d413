import type { JsonObject, JsonValue } from '@sluice/domain';
import { evaluateOwnText, evaluateOwnValue } from '@sluice/node-sdk';
import { plainData } from '../plain-data.ts';

/** A text of a credential type, with the data of a credential in it: what does not begin with `=` is as it stands. */
export function credentialText(value: JsonValue | undefined, data: JsonObject): string {
  if (typeof value !== 'string') return value === undefined || value === null ? '' : String(value);
  return value.startsWith('=') ? evaluateOwnText(value, { $credentials: data, $self: data }) : value;
}

/** A value in the place of a text, such as all headers at once: what the text gives. It may hold secrets as users have filled them in: never evaluate it again. */
export function credentialValue(text: string, data: JsonObject): JsonValue | undefined {
  return text.startsWith('=') ? plainData(evaluateOwnValue(text, { $credentials: data, $self: data })) : text;
}
