import type { ExecuteContext, JsonObject, OutputParser } from '@sluice/node-sdk';
import { booleanParameter, objectParameter, textParameter } from '@sluice/nodes-base/node-tools';
import { modelsOf } from '../../shared/ask-model.ts';
import { FixingParser } from '../../shared/fixing-parser.ts';
import { answerExample, exampleSchema } from '../../shared/input-schema.ts';
import { StructuredParser } from '../../shared/structured-parser.ts';

export async function supplyStructuredParser(context: ExecuteContext, itemIndex: number): Promise<OutputParser> {
  const schema = schemaOf(context, itemIndex);
  const parser = new StructuredParser(schema, context.workflow, itemIndex);
  if (!booleanParameter(context, 'autoFix', itemIndex, false)) return parser;
  const [model] = await modelsOf(context, itemIndex);
  const prompt = textParameter(context, 'prompt', itemIndex);
  return model ? new FixingParser(parser, model, prompt) : parser;
}

function schemaOf(context: ExecuteContext, itemIndex: number): JsonObject {
  if (context.typeVersion < 1.2) return objectParameter(context, 'jsonSchema', itemIndex);
  if (textParameter(context, 'schemaType', itemIndex, 'fromJson') === 'manual')
    return objectParameter(context, 'inputSchema', itemIndex);
  return exampleSchema(context, itemIndex, answerExample, context.typeVersion >= 1.3);
}
