import { createRequire } from 'node:module';
import { TimeSlice } from '@sluice/node-sdk';
import type { FileInfo } from 'basic-ftp';

/** Maximum number of bytes in a listing: 100,000 entries with names of 255 bytes. */
export const maxListingBytes = 32 * 1024 * 1024;

/** Maximum number of lines in a listing: 100,000 entries, plus lines about the folder itself. */
const maxLines = 110_000;

/** Maximum number of characters in a line. */
const maxLineLength = 16 * 1024;

/** The library's parser for one format. */
interface LineParser {
  testLine(line: string): boolean;
  parseLine(line: string): FileInfo | undefined;
  transformList(files: readonly FileInfo[]): FileInfo[];
}

/**
 * Parses a listing with the parsers of `basic-ftp` as the library does, but in time slices. Rejects
 * for an unknown format, for more than 110,000 lines, and for a line of more than 16,384
 * characters.
 */
export async function parseListing(text: string): Promise<FileInfo[]> {
  const slice = new TimeSlice();
  const lines = await entryLines(text, slice);
  const last = lines.at(-1);
  if (last === undefined) return [];
  const parser = parsers().find(({ testLine }) => testLine(last));
  if (!parser) throw new Error('the server lists files in an unsupported format: neither MLSD, Unix, nor DOS');
  const files: FileInfo[] = [];
  for (const line of lines) {
    const file = parser.parseLine(line);
    if (file) files.push(file);
    if (slice.isOver) await slice.next();
  }
  await slice.next();
  return parser.transformList(files);
}

/** Lines that are neither blank nor a total. */
async function entryLines(text: string, slice: TimeSlice): Promise<string[]> {
  const lines: string[] = [];
  for (const line of linesOf(text)) {
    if (line.length > maxLineLength) throw new Error(`the listing has a line of more than ${maxLineLength} characters`);
    if (line.trim() !== '' && !line.startsWith('total')) lines.push(line);
    if (lines.length > maxLines) throw new Error(`the listing has more than ${maxLines} lines`);
    if (slice.isOver) await slice.next();
  }
  return lines;
}

/** In the library's order: MLSD may accept a name alone. */
function parsers(): LineParser[] {
  const require = createRequire(import.meta.url);
  return ['DOS', 'Unix', 'MLSD'].map((format) => require(`basic-ftp/dist/parseList${format}`) as LineParser);
}

function* linesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const breakAt = text.indexOf('\n', from);
    const end = breakAt < 0 ? text.length : breakAt;
    yield text.slice(from, text[end - 1] === '\r' && end > from ? end - 1 : end);
    from = end + 1;
  }
}
