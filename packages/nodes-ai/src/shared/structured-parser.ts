import { errorMessage, type JsonObject, type JsonValue, NodeOperationError, type OutputParser } from '@sluice/node-sdk';
import type { TaskOptions } from '@sluice/nodes-base/node-tools';
import type { JsonCheck } from './check-json-task.ts';
import { checkJson } from './json-checks.ts';

/** Reads JSON that matches a schema. `owner`: the workflow, for the thread that checks the JSON. */
export class StructuredParser implements OutputParser {
  readonly schema: JsonObject;
  readonly instructions: string;
  readonly #owner: TaskOptions['owner'];
  readonly #itemIndex: number;

  constructor(schema: JsonObject, owner: TaskOptions['owner'], itemIndex: number) {
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
