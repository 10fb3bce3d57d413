import { type JsonObject, type JsonValue, NodeOperationError, ownProperty } from '@sluice/node-sdk';
import { stringOf } from '@sluice/nodes-base/node-tools';

/** An argument that the model writes. */
export interface Placeholder {
  name: string;
  schema: JsonObject;
  isRequired: boolean;
}

const pattern = /\{([A-Za-z_]\w{0,63})\}/g;
const whole = new RegExp(`^${pattern.source}$`);

/**
 * Placeholders in strings, added to the ones already found, with the types and descriptions that
 * the author defined.
 */
export function placeholdersIn(
  texts: readonly string[],
  detected: readonly Placeholder[],
  defined: readonly JsonObject[],
): Placeholder[] {
  const named = texts
    .flatMap((text) => [...text.matchAll(pattern)])
    .map(([, name = '']): Placeholder => ({ name, schema: { type: 'string' }, isRequired: true }));
  const unique = new Map([...detected, ...named].filter(({ name }) => name !== '').map((one) => [one.name, one]));
  // Reversed, because the first definition of a name is used.
  const definitions = new Map(defined.toReversed().map((one) => [one['name'], one]));
  return [...unique.values()].map((one) => {
    const definition = definitions.get(one.name);
    return definition ? { ...one, schema: schemaOf(definition, one.schema) } : one;
  });
}

function schemaOf({ type, description }: JsonObject, fallback: JsonObject): JsonObject {
  const types: Record<string, JsonObject> = { string: { type }, number: { type }, boolean: { type }, json: {} } as never;
  const text: JsonObject = typeof description === 'string' && description !== '' ? { description } : {};
  return { ...(types[stringOf(type)] ?? fallback), ...text };
}

/** Whether a string consists of one placeholder. */
export function isPlaceholder(text: string): boolean {
  return whole.test(text.trim());
}

/** Maximum length of text with its arguments: a template may repeat a long argument many times. */
const maxLength = 10 * 1024 * 1024;

/**
 * The text with placeholders replaced by their arguments, encoded with `encode`. Unknown
 * placeholders remain.
 */
export function withArguments(text: string, input: JsonObject, encode: (value: JsonValue) => string): string {
  const encoded = new Map<string, string>();
  let length = text.length;
  return text.replace(pattern, (whole, name: string) => {
    const value = ownProperty(input, name);
    if (value === undefined) return whole;
    const written = encoded.get(name) ?? encode(value);
    encoded.set(name, written);
    length += written.length;
    if (length > maxLength)
      throw new NodeOperationError(`a part of the request has more than ${maxLength} characters with these arguments`, {
        description: 'Shorten the arguments, or use each of them only once in the request',
      });
    return written;
  });
}
