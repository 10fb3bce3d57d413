import type { ThreadTask } from '@sluice/nodes-base/node-tools';
import { Tiktoken } from 'js-tiktoken/lite';
import ranks from 'js-tiktoken/ranks/cl100k_base';
import { located, maxChunks, tooMany } from '../../shared/split-text.ts';

interface Input {
  text: string;
  /** In tokens. */
  chunkSize: number;
  chunkOverlap: number;
}

let encoding: Tiktoken | undefined;

/**
 * Chunks of text, on a worker thread: loading the token table alone would block the event loop too
 * long.
 */
export const task: ThreadTask<Input> = async function* ({ text, chunkSize, chunkOverlap }) {
  encoding ??= new Tiktoken(ranks);
  // Special token names in the text are treated as plain text.
  const tokens = encoding.encode(text, [], []);
  const step = chunkSize - chunkOverlap;
  if (tokens.length / step > maxChunks) throw tooMany();
  yield* located(text, chunksOf(tokens, encoding, chunkSize, step));
};

function* chunksOf(tokens: number[], decoder: Tiktoken, chunkSize: number, step: number): Generator<string> {
  for (let at = 0; at < tokens.length; at += step) {
    yield decoder.decode(tokens.slice(at, at + chunkSize));
    if (at + chunkSize >= tokens.length) break;
  }
}
