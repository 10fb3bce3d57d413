import { setImmediate as nextTurn } from 'node:timers/promises';
import { ModelError } from '@sluice/node-sdk';

type Fetch = typeof globalThis.fetch;

/**
 * Maximum number of values in a JSON response or in one stream event. A library parses and checks
 * them synchronously, at a microsecond each.
 */
const maxValues = 20_000;
/** Bytes passed to a library in one turn of the event loop: short events cost the most. */
const pieceLength = 16 * 1024;

/**
 * The part of a response that a library parses at once: all of it, an event up to a blank line, or
 * a line.
 */
type Unit = 'answer' | 'event' | 'line';

/**
 * `fetch` whose responses a library can parse without blocking the event loop. Other responses fail
 * with a `ModelError` while they are read. `streamUnit`: the unit of a streamed response.
 */
export function boundedFetch(send: Fetch, streamUnit: Exclude<Unit, 'answer'> = 'event'): Fetch {
  return async (input, init) =>
    boundedResponse(await send(input, init), isStreamed(input.toString(), init?.body) ? streamUnit : 'answer');
}

/**
 * Not detected by the response type, which the server chooses. JSON strings cannot contain these
 * characters: quotes are escaped.
 */
function isStreamed(url: string, body: unknown): boolean {
  return url.includes('alt=sse') || (typeof body === 'string' && body.includes('"stream":true'));
}

export function boundedResponse(response: Response, unit: Unit = 'answer'): Response {
  if (!response.body) return response;
  const meter = new Meter(unit);
  const bounded = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    async transform(chunk, controller) {
      for (let at = 0; at < chunk.length; at += pieceLength) {
        const piece = chunk.subarray(at, at + pieceLength);
        meter.add(piece);
        controller.enqueue(piece);
        await nextTurn();
      }
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(bounded), { status, statusText, headers });
}

const [quote, backslash, lineFeed, carriageReturn] = [0x22, 0x5c, 0x0a, 0x0d];
/** One of `{`, `[`, and `,` precedes each value except the first of a response. */
const beforeValue: ReadonlySet<number> = new Set([0x7b, 0x5b, 0x2c]);

/** Counts JSON values while they arrive. Overestimates in ambiguous cases. */
class Meter {
  readonly #unit: Unit;
  #values = 0;
  #lineLength = 0;
  #isText = false;
  #isEscaped = false;

  constructor(unit: Unit) {
    this.#unit = unit;
  }

  add(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (byte === lineFeed || byte === carriageReturn) this.#endLine(byte);
      else this.#addCharacter(byte);
    }
    if (this.#values <= maxValues) return;
    throw new ModelError('invalidResponse', `the provider sent a response with more than ${maxValues} values`);
  }

  #addCharacter(byte: number): void {
    this.#lineLength += 1;
    if (this.#isEscaped) this.#isEscaped = false;
    else if (this.#isText && byte === backslash) this.#isEscaped = true;
    else if (byte === quote) this.#isText = !this.#isText;
    else if (!this.#isText && beforeValue.has(byte)) this.#values += 1;
  }

  /**
   * JSON strings contain no line breaks, so no string continues here. A carriage return alone does
   * not end a part.
   */
  #endLine(byte: number): void {
    this.#isText = false;
    this.#isEscaped = false;
    if (byte !== lineFeed) return;
    if (this.#unit === 'line' || (this.#unit === 'event' && this.#lineLength === 0)) this.#values = 0;
    this.#lineLength = 0;
  }
}
