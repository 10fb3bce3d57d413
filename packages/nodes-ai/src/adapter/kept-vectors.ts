import { type JsonObject, type JsonValue, ModelError, parseJson } from '@sluice/node-sdk';
import { boundedResponse } from './bounded-answer.ts';

type Fetch = typeof globalThis.fetch;

/** Maximum number of values in a response, excluding the numbers in its vectors. */
const maxValues = 20_000;

/**
 * Removes the vectors from responses before a provider's library reads them: it would parse and
 * check a million numbers at once. The library gets placeholder numbers, which `vectorsOf` maps
 * back.
 */
export class KeptVectors {
  readonly #vectors = new Map<number, readonly number[]>();
  #count = 0;

  /** `fetch` whose responses contain no vectors. */
  around(send: Fetch): Fetch {
    return async (input, init) => {
      const response = await send(input, init);
      if (!response.ok) return boundedResponse(response);
      const { status, statusText, headers } = response;
      return new Response(await this.#without(await response.text()), { status, statusText, headers });
    };
  }

  /** The vectors for the library's placeholders. Each can be retrieved once. */
  vectorsOf(embeddings: readonly (readonly number[])[]): number[][] {
    return embeddings.map(([key = -1]) => {
      const vector = this.#vectors.get(key) ?? [];
      this.#vectors.delete(key);
      return [...vector];
    });
  }

  async #without(text: string): Promise<string> {
    const answer = await parsed(text);
    const open: JsonValue[] = [answer];
    for (let values = 0; open.length > 0; values += 1) {
      if (values > maxValues) throw unreadable(`it has more than ${maxValues} values`);
      const value = open.pop();
      if (typeof value === 'object' && value !== null) this.#keepMembers(value, open);
    }
    return JSON.stringify(answer);
  }

  #keepMembers(container: JsonObject | JsonValue[], open: JsonValue[]): void {
    const members = Array.isArray(container) ? container.length : Object.keys(container).length;
    if (members > maxValues) throw unreadable(`it has more than ${maxValues} values`);
    for (const [name, member] of Object.entries(container) as [string, JsonValue][]) {
      if (isVector(member)) (container as JsonObject)[name] = [this.#keep(member)];
      else open.push(member);
    }
  }

  #keep(vector: readonly number[]): number {
    this.#count += 1;
    this.#vectors.set(this.#count, vector);
    return this.#count;
  }
}

async function parsed(text: string): Promise<JsonObject | JsonValue[]> {
  let answer: unknown;
  try {
    answer = await parseJson(text);
  } catch (cause) {
    throw new ModelError('invalidResponse', 'Invalid JSON response', { cause });
  }
  if (typeof answer === 'object' && answer !== null) return answer as JsonObject | JsonValue[];
  throw unreadable('it is neither a JSON object nor a list');
}

function isVector(value: JsonValue): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.every((element) => typeof element === 'number');
}

const unreadable = (reason: string) => new ModelError('invalidResponse', `the provider sent an unreadable response: ${reason}`);
