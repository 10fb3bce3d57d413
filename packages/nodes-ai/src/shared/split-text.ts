import { NodeOperationError } from '@sluice/node-sdk';

export interface SplitOptions {
  /** Maximum number of characters in a chunk. */
  chunkSize: number;
  /** Characters that a chunk repeats from the previous one; less than `chunkSize`. */
  chunkOverlap: number;
  /**
   * Tried in order: the first one that occurs splits the text, the later ones split parts that are
   * too long.
   */
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

/** Maximum number of chunks in one run of a splitter. */
export const maxChunks = 100_000;

/** A part of text, with its first and last line, 1-based. */
export interface Chunk {
  text: string;
  from: number;
  to: number;
}

/**
 * Distance, in characters after the start of the last chunk and in addition to the next chunk's
 * length, within which the next chunk is searched.
 */
const lookAheadLength = 64 * 1024;

/**
 * Finds chunks in their text, in order. A chunk that is not found has the lines of the previous
 * one.
 */
export function* located(text: string, chunks: Iterable<string>): Generator<Chunk> {
  let [at, start, line] = [0, 0, 1];
  for (const chunk of chunks) {
    const offset = text.slice(start, start + chunk.length + lookAheadLength).indexOf(chunk);
    if (offset >= 0) {
      line += breaksIn(text.slice(at, start + offset));
      at = start + offset;
      start = at + 1;
    }
    yield { text: chunk, from: line, to: line + breaksIn(chunk) };
  }
}

function breaksIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** Chunks of text, at the largest units that fit. Throws if there are more than `maxChunks`. */
export function splitText(text: string, options: SplitOptions): string[] {
  const { chunkSize, keepsSeparator } = options;
  const { separator, finer } = chosen(options.separators, text);
  if (separator === '') return cut(text, options);
  const chunks: string[] = [];
  const joiner = keepsSeparator ? '' : separator;
  let fitting: string[] = [];
  for (const piece of piecesOf(text, separator, keepsSeparator)) {
    if (piece.length < chunkSize) {
      fitting.push(piece);
      continue;
    }
    add(chunks, merged(fitting, joiner, options));
    fitting = [];
    add(chunks, finer.length === 0 ? [piece] : splitText(piece, { ...options, separators: finer }));
  }
  add(chunks, merged(fitting, joiner, options));
  return chunks;
}

/** One by one: there may be more than the maximum number of call arguments. */
function add(chunks: string[], more: readonly string[]): void {
  if (chunks.length + more.length > maxChunks) throw tooMany();
  for (const chunk of more) chunks.push(chunk);
}

export const tooMany = (): RangeError => new RangeError(`it has more than ${maxChunks} chunks`);

/** The first separator that occurs, and those after it. */
function chosen(separators: readonly string[], text: string): { separator: string; finer: readonly string[] } {
  const separatorIndex = separators.findIndex((separator) => separator === '' || text.includes(separator));
  const at = separatorIndex < 0 ? separators.length - 1 : separatorIndex;
  return { separator: separators[at] ?? '', finer: separators.slice(at + 1) };
}

function piecesOf(text: string, separator: string, keepsSeparator: boolean): string[] {
  const pieces = text.split(separator);
  const withSeparators = keepsSeparator ? pieces.map((piece, index) => (index === 0 ? piece : separator + piece)) : pieces;
  return withSeparators.filter((piece) => piece !== '');
}

/** Pieces of fixed length, for text without separators. */
function cut(text: string, { chunkSize, chunkOverlap }: SplitOptions): string[] {
  if (text.length / (chunkSize - chunkOverlap) > maxChunks) throw tooMany();
  const chunks: string[] = [];
  for (let at = 0; at < text.length; at += chunkSize - chunkOverlap) {
    chunks.push(text.slice(at, at + chunkSize));
    if (at + chunkSize >= text.length) break;
  }
  return chunks.map((chunk) => chunk.trim()).filter((chunk) => chunk !== '');
}

/**
 * Joins pieces to chunks; each chunk starts with as many of the previous chunk's last pieces as fit
 * the overlap.
 */
function merged(pieces: readonly string[], joiner: string, options: SplitOptions): string[] {
  const { chunkSize, chunkOverlap } = options;
  const chunks: string[] = [];
  const lengths = pieces.map((piece) => piece.length + joiner.length);
  let first = 0;
  let length = 0; // of the pieces from `first`, with a joiner after each
  for (const [index, piece] of pieces.entries()) {
    const isFull = index > first && length + piece.length > chunkSize;
    if (isFull) add(chunks, [pieces.slice(first, index).join(joiner).trim()]);
    const maxLength = isFull ? Math.min(chunkOverlap + joiner.length, chunkSize - piece.length) : chunkSize;
    for (; index > first && length > maxLength; first += 1) length -= lengths[first] ?? 0;
    length += lengths[index] ?? 0;
  }
  chunks.push(pieces.slice(first).join(joiner).trim());
  return chunks.filter((chunk) => chunk !== '');
}
