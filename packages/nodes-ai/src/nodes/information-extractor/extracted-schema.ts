import { type ExecuteContext, type JsonObject, NodeOperationError } from '@sluice/node-sdk';
import { choiceParameter, coercedText, listParameter, objectParameter, stringOf } from '@sluice/nodes-base/node-tools';
import { answerExample, exampleSchema } from '../../shared/input-schema.ts';

/** The JSON Schema of the values that the node extracts. */
export function extractedSchema(context: ExecuteContext, itemIndex: number): JsonObject {
  const kinds = ['fromAttributes', 'fromJson', 'manual'] as const;
  const kind = choiceParameter(context, 'schemaType', itemIndex, kinds, 'fromAttributes');
  if (kind === 'manual') return objectParameter(context, 'inputSchema', itemIndex);
  if (kind === 'fromAttributes') return schemaOfAttributes(context, itemIndex);
  return exampleSchema(context, itemIndex, answerExample, context.typeVersion >= 1.2);
}

function schemaOfAttributes(context: ExecuteContext, itemIndex: number): JsonObject {
  const attributes = listParameter(context, 'attributes.attributes', itemIndex);
  const named = attributes.map((attribute) => ({ ...attribute, name: coercedText(attribute['name']).trim() }));
  if (named.length === 0 || named.some(({ name }) => name === ''))
    throw new NodeOperationError(named.length === 0 ? 'no attributes are defined' : 'an attribute has no name', {
      itemIndex,
      description: 'Name each value that the node should extract in "Attributes"',
    });
  return {
    type: 'object',
    properties: Object.fromEntries(named.map((attribute) => [attribute.name, schemaOfAttribute(attribute)])),
    required: named.filter((attribute) => isRequired(attribute)).map(({ name }) => name),
  };
}

const isRequired = (attribute: JsonObject) => attribute['required'] === true;

/** Models often write `null` for a value that they did not find. */
function schemaOfAttribute(attribute: JsonObject): JsonObject {
  const { type = 'string', description = '' } = attribute;
  const isDate = type === 'date';
  const name = isDate ? 'string' : type;
  const hint = isDate ? `${stringOf(description)} (ISO 8601)`.trim() : description;
  return {
    type: isRequired(attribute) ? name : [name, 'null'],
    ...(isDate && { format: 'date-time' }),
    ...(hint !== '' && { description: hint }),
  };
}
