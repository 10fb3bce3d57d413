import type { ExecuteContext, JsonObject, JsonValue, OutputParser } from '@sluice/node-sdk';
import { booleanParameter, objectParameter, parseJsonParameter, textParameter } from '@sluice/nodes-base/node-tools';
import { modelsOf } from '../../shared/ask-model.ts';
import { FixingParser } from '../../shared/fixing-parser.ts';
import { schemaOfExample } from '../../shared/json-schema.ts';
import { StructuredParser } from '../../shared/structured-parser.ts';

export async function supplyStructuredParser(context: ExecuteContext, itemIndex: number): Promise<OutputParser> {
  const schema = schemaOf(context, itemIndex);
  const parser = new StructuredParser(schema, context.workflow.id, itemIndex);
  if (!booleanParameter(context, 'autoFix', itemIndex, false)) return parser;
  const [model] = await modelsOf(context, itemIndex);
  const prompt = textParameter(context, 'prompt', itemIndex);
  return model ? new FixingParser(parser, model, prompt) : parser;
}

function schemaOf(context: ExecuteContext, itemIndex: number): JsonObject {
  if (context.typeVersion < 1.2) return objectParameter(context, 'jsonSchema', itemIndex);
  if (textParameter(context, 'schemaType', itemIndex, 'fromJson') === 'manual')
    return objectParameter(context, 'inputSchema', itemIndex);
  const example = context.parameter<JsonValue>('jsonSchemaExample', itemIndex);
  const value = typeof example === 'string' ? parseJsonParameter('jsonSchemaExample', example, itemIndex) : example;
  return schemaOfExample(value ?? {}, context.typeVersion >= 1.3);
}
