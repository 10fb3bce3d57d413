import {
  type ExecuteContext,
  errorMessage,
  isNodeOperationError,
  type JsonObject,
  type JsonValue,
  type LanguageModel,
  NodeOperationError,
  type OutputParser,
} from '@sluice/node-sdk';
import { booleanParameter, objectParameter, parseJsonParameter, textParameter } from '@sluice/nodes-base/node-tools';
import { modelsOf } from '../../shared/ask-model.ts';
import type { JsonCheck } from '../../shared/check-json.ts';
import { checkJson } from '../../shared/json-checks.ts';
import { schemaOfExample } from '../../shared/json-schema.ts';

export async function supplyStructuredParser(context: ExecuteContext, itemIndex: number): Promise<OutputParser> {
  const schema = schemaOf(context, itemIndex);
  const parser = new StructuredParser(schema, context.workflow.id, itemIndex);
  if (!booleanParameter(context, 'autoFix', itemIndex, false)) return parser;
  const [model] = await modelsOf(context, itemIndex);
  const prompt = textParameter(context, 'prompt', itemIndex);
  return model ? new FixingParser(parser, model, prompt === '' ? fixPrompt : prompt) : parser;
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

const fixPrompt = `Correct the answer below so that it follows the instructions. Answer with the corrected JSON only.

Instructions:
{instructions}

Answer:
{completion}

Problem:
{error}`;

/** Has a model correct an answer once. */
class FixingParser implements OutputParser {
  readonly schema: JsonObject;
  readonly instructions: string;
  readonly #parser: StructuredParser;
  readonly #model: LanguageModel;
  readonly #prompt: string;

  constructor(parser: StructuredParser, model: LanguageModel, prompt: string) {
    this.schema = parser.schema;
    this.instructions = parser.instructions;
    this.#parser = parser;
    this.#model = model;
    this.#prompt = prompt;
  }

  async parse(text: string, signal: AbortSignal): Promise<JsonValue> {
    try {
      return await this.#parser.parse(text, signal);
    } catch (error) {
      if (!isNodeOperationError(error)) throw error;
      const parts: Record<string, string> = { instructions: this.instructions, completion: text, error: error.message };
      const content = this.#prompt.replace(/\{(instructions|completion|error)\}/g, (_, name: string) => parts[name] ?? '');
      const fixed = await this.#model.generate({ messages: [{ role: 'user', content }] }, signal);
      return this.#parser.parse(fixed.text, signal);
    }
  }
}
