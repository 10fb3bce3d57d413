import type { JsonObject, JsonValue } from '@sluice/domain';
import { evaluateOwnText } from '@sluice/node-sdk';

/** A text of a credential type, with the data of a credential in it: what does not begin with `=` is as it stands. */
export function credentialText(value: JsonValue | undefined, data: JsonObject): string {
  if (typeof value !== 'string') return value === undefined || value === null ? '' : String(value);
  return value.startsWith('=') ? evaluateOwnText(value, { $credentials: data, $self: data }) : value;
}
