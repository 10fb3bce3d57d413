import {
  type ExecuteContext,
  errorMessage,
  type JsonObject,
  type JsonValue,
  NodeOperationError,
  type OutputParser,
} from '@sluice/node-sdk';
import { booleanParameter, objectParameter, parseJsonParameter, textParameter } from '@sluice/nodes-base/node-tools';
import { modelsOf } from '../../shared/ask-model.ts';
import type { JsonCheck } from '../../shared/check-json.ts';
import { FixingParser } from '../../shared/fixing-parser.ts';
import { checkJson } from '../../shared/json-checks.ts';
import { schemaOfExample } from '../../shared/json-schema.ts';

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

class StructuredParser implements OutputParser {
  readonly schema: JsonObject;
  readonly instructions: string;
  readonly #owner: string;
  readonly #itemIndex: number;

  constructor(schema: JsonObject, owner: string, itemIndex: number) {
    this.schema = schema;
    this.#owner = owner;
    this.#itemIndex = itemIndex;
    this.instructions = `Answer with one JSON value only, without any text around it. It must match this JSON Schema:\n\`\`\`json\n${JSON.stringify(schema)}\n\`\`\``;
  }

  async parse(text: string, signal: AbortSignal): Promise<JsonValue> {
    const { value, problems } = await this.#check(text, signal);
    if (value === undefined) throw this.#refused('The answer contains no JSON', text);
    if (problems.length === 0) return value;
    throw this.#refused(`The answer does not match the required format: ${problems.join('; ')}`, text);
  }

  async #check(text: string, signal: AbortSignal): Promise<JsonCheck> {
    try {
      return await checkJson({ schema: this.schema, text }, { owner: this.#owner, signal });
    } catch (error) {
      signal.throwIfAborted();
      throw this.#refused(`The answer cannot be checked: ${errorMessage(error)}`, text);
    }
  }

  #refused(message: string, text: string): NodeOperationError {
    return new NodeOperationError(message, {
      itemIndex: this.#itemIndex,
      description: 'Turn on "Auto-Fix Format", describe the format in the prompt, or use a stronger model',
      details: { answer: text.slice(0, 2_000) },
    });
  }
}
