import { looksLikeZip } from '../shared/zip-entries.ts';

/**
 * File kind, from its first bytes. `markup`: a table in HTML or XML, which many programs store as
 * `.xls`.
 */
export type SheetKind = 'archive' | 'workbook' | 'markup' | 'text' | 'unknown';

const compoundFile = Buffer.from('d0cf11e0a1b11ae1', 'hex');
/** Signatures of Excel 2 to 5 workbooks that are not in a compound file. */
const bareWorkbooks = ['09000400', '09020600', '09040600', '09080600', '09080800', '09081000'].map((hex) =>
  Buffer.from(hex, 'hex'),
);
const utf16Marks = [Buffer.of(0xff, 0xfe), Buffer.of(0xfe, 0xff)];
const endOfDosFile = 0x1a;

/** Number of bytes that are searched for a table: style sheets may come first. */
const markupLength = 1024 * 1024;
const sampleLength = 64 * 1024;

export function sheetKind(bytes: Buffer): SheetKind {
  if (looksLikeZip(bytes)) return 'archive';
  if ([compoundFile, ...bareWorkbooks].some((signature) => startsWith(bytes, signature))) return 'workbook';
  if (utf16Marks.some((mark) => startsWith(bytes, mark))) return 'text';
  // In all encodings, the only control characters in text are white space and the DOS end-of-file
  // mark.
  const end = bytes.at(-1) === endOfDosFile ? bytes.length - 1 : bytes.length;
  const sample = bytes.toString('latin1', 0, Math.min(end, sampleLength));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  if (/[\x00-\x08\x0E-\x1F]/.test(sample)) return 'unknown';
  return isMarkup(bytes) ? 'markup' : 'text';
}

function isMarkup(bytes: Buffer): boolean {
  const text = bytes.toString('latin1', 0, markupLength);
  return /^(?:\xEF\xBB\xBF)?\s*</.test(text) && /<(?:\w+:)?(?:table|workbook)\b/i.test(text);
}

function startsWith(bytes: Buffer, signature: Buffer): boolean {
  return bytes.subarray(0, signature.length).equals(signature);
}
