import { isNodeOperationError, type JsonObject, type JsonValue, type LanguageModel, type OutputParser } from '@sluice/node-sdk';
import { assertAnswered } from './ask-model.ts';
import { filled } from './filled-template.ts';

const standard = `Correct the answer below so that it follows the instructions. Answer with the corrected text only.

Instructions:
{instructions}

Answer:
{completion}

Problem:
{error}`;

/**
 * Has a model correct an answer once. `prompt` may contain {instructions}, {completion}, and
 * {error}; empty: the default prompt.
 */
export class FixingParser implements OutputParser {
  readonly schema?: JsonObject;
  readonly instructions: string;
  readonly #parser: OutputParser;
  readonly #model: LanguageModel;
  readonly #prompt: string;

  constructor(parser: OutputParser, model: LanguageModel, prompt: string) {
    if (parser.schema) this.schema = parser.schema;
    this.instructions = parser.instructions;
    this.#parser = parser;
    this.#model = model;
    this.#prompt = prompt === '' ? standard : prompt;
  }

  async parse(text: string, signal: AbortSignal): Promise<JsonValue> {
    try {
      return await this.#parser.parse(text, signal);
    } catch (error) {
      if (!isNodeOperationError(error)) throw error;
      const content = filled(this.#prompt, { instructions: this.instructions, completion: text, error: error.message });
      const fixed = await this.#model.generate({ messages: [{ role: 'user', content }] }, signal);
      assertAnswered(fixed, true);
      return this.#parser.parse(fixed.text, signal);
    }
  }
}
