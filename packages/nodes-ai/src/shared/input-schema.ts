import type { ExecuteContext, JsonObject, JsonValue, NodeProperty } from '@sluice/node-sdk';
import {
  choice,
  choices,
  objectParameter,
  parseJsonParameter,
  text,
  textParameter,
  where,
} from '@sluice/nodes-base/node-tools';
import { schemaOfExample } from './json-schema.ts';

const inputExample = '{\n  "some_input": "some_value"\n}';
/** The example in nodes that convert answers to JSON. */
export const answerExample = '{\n  "state": "California",\n  "cities": ["Los Angeles", "San Francisco"]\n}';

/** Parameters that describe a tool's input. */
export const schemaProperties = (show: Record<string, readonly JsonValue[]>): NodeProperty[] => [
  choice(
    'schemaType',
    'Schema Type',
    choices(['fromJson', 'Generate From JSON Example'], ['manual', 'Define Using JSON Schema']),
    where(show),
  ),
  text('jsonSchemaExample', 'JSON Example', 'An example of the input', {
    type: 'json',
    default: inputExample,
    ...where({ ...show, schemaType: ['fromJson'] }),
  }),
  text('inputSchema', 'Input Schema', 'JSON Schema of the input', {
    type: 'json',
    default: '{ "type": "object", "properties": { "some_input": { "type": "string" } } }',
    ...where({ ...show, schemaType: ['manual'] }),
  }),
];

/** The object schema that these parameters describe. */
export function inputSchemaOf(context: ExecuteContext, itemIndex: number): JsonObject {
  if (textParameter(context, 'schemaType', itemIndex, 'fromJson') === 'manual') {
    return { type: 'object', ...objectParameter(context, 'inputSchema', itemIndex) };
  }
  return exampleSchema(context, itemIndex, inputExample, false);
}

/**
 * The schema of the parameter `jsonSchemaExample`, or of the default example. `isStrict`: see
 * `schemaOfExample`.
 */
export function exampleSchema(context: ExecuteContext, itemIndex: number, standard: string, isStrict: boolean): JsonObject {
  const example = context.parameter<JsonValue>('jsonSchemaExample', itemIndex) ?? standard;
  const value = typeof example === 'string' ? parseJsonParameter('jsonSchemaExample', example, itemIndex) : example;
  return schemaOfExample(value, isStrict);
}
