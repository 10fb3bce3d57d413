import { messageKeyword } from '@sluice/contract';
import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/domain';
import type { Route } from '../http/route/define-route.ts';
import type { ToolParameter } from './tools.ts';

/** Keywords that model providers accept. The route still checks patterns and formats. */
const keptKeywords: ReadonlySet<string> = new Set([
  'type',
  'enum',
  'const',
  'description',
  'default',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
]);

/** JSON Schema of a tool's arguments: the parameters and the body of its route. */
export function inputSchemaOf({ body }: Pick<Route, 'body'>, parameters: readonly ToolParameter[]): JsonObject {
  const { properties = {}, required = [] } = body ? forModels(body as unknown as JsonObject) : {};
  const ofParameters = parameters.map(({ argument, description, schema }): [string, JsonObject] => [
    argument,
    { ...forModels(schema), ...(description !== undefined && { description }) },
  ]);
  const needed = parameters.filter((parameter) => parameter.required).map(({ argument }) => argument);
  return {
    type: 'object',
    properties: { ...Object.fromEntries(ofParameters), ...(properties as JsonObject) },
    required: [...needed, ...(required as string[])],
  };
}

function forModels(schema: JsonObject): JsonObject {
  const reduced: JsonObject = {};
  const { properties, required, items, additionalProperties, anyOf } = schema as Record<string, JsonValue | undefined>;
  for (const [keyword, value] of Object.entries(schema)) if (keptKeywords.has(keyword)) reduced[keyword] = value;
  const message = schema[messageKeyword];
  if (reduced['description'] === undefined && typeof message === 'string') reduced['description'] = message;
  if (isJsonObject(properties)) {
    reduced['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, isJsonObject(property) ? forModels(property) : property]),
    );
  }
  if (Array.isArray(required)) reduced['required'] = required.filter((name) => !hasDefault(properties, String(name)));
  if (isJsonObject(items)) reduced['items'] = forModels(items);
  if (isJsonObject(additionalProperties)) reduced['additionalProperties'] = forModels(additionalProperties);
  if (Array.isArray(anyOf)) reduced['anyOf'] = anyOf.map((one) => (isJsonObject(one) ? forModels(one) : one));
  return reduced;
}

/** Validators fill defaults in, so such properties need not be sent. */
function hasDefault(properties: JsonValue | undefined, name: string): boolean {
  const property = isJsonObject(properties) ? properties[name] : undefined;
  return isJsonObject(property) && 'default' in property;
}
