import { NodeOperationError, type TextDocument, TimeSlice } from '@sluice/node-sdk';

export interface SplitOptions {
  /** Most characters of a chunk. */
  chunkSize: number;
  /** Characters that a chunk repeats from the one before; less than `chunkSize`. */
  chunkOverlap: number;
  /** Tried in order: the first one that occurs splits the text, the next ones split parts that are too long. */
  separators: readonly string[];
  /** Whether chunks keep the separators, at their start. */
  keepsSeparator: boolean;
}

/** Checks the sizes of a splitter. */
export function checkedSizes(
  chunkSize: number,
  chunkOverlap: number,
  itemIndex: number,
): { chunkSize: number; chunkOverlap: number } {
  const sizes = { chunkSize: Math.trunc(chunkSize), chunkOverlap: Math.trunc(chunkOverlap) };
  if (sizes.chunkSize < 1 || sizes.chunkOverlap < 0 || sizes.chunkOverlap >= sizes.chunkSize)
    throw new NodeOperationError('the chunk overlap must be less than the chunk size, and neither may be negative', {
      itemIndex,
      description: 'Set "Chunk Size" to 1 or more, and "Chunk Overlap" to less than that',
    });
  return sizes;
}

/** The documents in chunks; `metadata.loc.lines` says which lines of its document a chunk has. */
export async function splitDocuments(
  documents: readonly TextDocument[],
  split: (text: string) => Promise<readonly string[]> | readonly string[],
): Promise<TextDocument[]> {
  const chunks: TextDocument[] = [];
  const slice = new TimeSlice();
  for (const { text, metadata } of documents) {
    const lines = new LineCounter(text);
    for (const chunk of await split(text)) {
      chunks.push({ text: chunk, metadata: { ...metadata, loc: { lines: lines.of(chunk) } } });
      if (slice.isOver) await slice.next();
    }
  }
  return chunks;
}

/** Finds chunks in their text, in order. */
class LineCounter {
  readonly #text: string;
  #at = 0;
  #line = 1;
  #start = 0;

  constructor(text: string) {
    this.#text = text;
  }

  of(chunk: string): { from: number; to: number } {
    const found = this.#text.indexOf(chunk, this.#start);
    if (found >= 0) {
      this.#line += breaksIn(this.#text, this.#at, found);
      this.#at = found;
      this.#start = found + 1;
    }
    return { from: this.#line, to: this.#line + breaksIn(chunk, 0, chunk.length) };
  }
}

function breaksIn(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** Chunks of a text, at the largest units that fit. */
export async function splitText(text: string, options: SplitOptions, slice = new TimeSlice()): Promise<string[]> {
  const { chunkSize, keepsSeparator } = options;
  const { separator, finer } = chosen(options.separators, text);
  if (separator === '') return cut(text, options);
  const chunks: string[][] = [];
  let fitting: string[] = [];
  for (const piece of piecesOf(text, separator, keepsSeparator)) {
    if (slice.isOver) await slice.next();
    if (piece.length < chunkSize) {
      fitting.push(piece);
      continue;
    }
    chunks.push(await merged(fitting, keepsSeparator ? '' : separator, options, slice));
    fitting = [];
    chunks.push(finer.length === 0 ? [piece] : await splitText(piece, { ...options, separators: finer }, slice));
  }
  chunks.push(await merged(fitting, keepsSeparator ? '' : separator, options, slice));
  return chunks.flat();
}

/** The first separator that occurs, and those after it. */
function chosen(separators: readonly string[], text: string): { separator: string; finer: readonly string[] } {
  const found = separators.findIndex((separator) => separator === '' || text.includes(separator));
  const at = found < 0 ? separators.length - 1 : found;
  return { separator: separators[at] ?? '', finer: separators.slice(at + 1) };
}

function piecesOf(text: string, separator: string, keepsSeparator: boolean): string[] {
  const pieces = text.split(separator);
  const kept = keepsSeparator ? pieces.map((piece, index) => (index === 0 ? piece : separator + piece)) : pieces;
  return kept.filter((piece) => piece !== '');
}

/** Pieces of one length, where nothing separates the text. */
function cut(text: string, { chunkSize, chunkOverlap }: SplitOptions): string[] {
  const chunks: string[] = [];
  for (let at = 0; at < text.length; at += chunkSize - chunkOverlap) {
    chunks.push(text.slice(at, at + chunkSize));
    if (at + chunkSize >= text.length) break;
  }
  return chunks.map((chunk) => chunk.trim()).filter((chunk) => chunk !== '');
}

/** Joins pieces to chunks; each one starts with the last pieces of the one before, as far as they fit the overlap. */
async function merged(pieces: readonly string[], joiner: string, options: SplitOptions, slice: TimeSlice): Promise<string[]> {
  const { chunkSize, chunkOverlap } = options;
  const chunks: string[] = [];
  const lengths = pieces.map((piece) => piece.length + joiner.length);
  let first = 0;
  let length = 0; // of the pieces from `first`, with a joiner after each
  for (const [index, piece] of pieces.entries()) {
    if (slice.isOver) await slice.next();
    const isFull = index > first && length + piece.length > chunkSize;
    if (isFull) chunks.push(pieces.slice(first, index).join(joiner).trim());
    const most = isFull ? Math.min(chunkOverlap + joiner.length, chunkSize - piece.length) : chunkSize;
    for (; index > first && length > most; first += 1) length -= lengths[first] ?? 0;
    length += lengths[index] ?? 0;
  }
  chunks.push(pieces.slice(first).join(joiner).trim());
  return chunks.filter((chunk) => chunk !== '');
}
