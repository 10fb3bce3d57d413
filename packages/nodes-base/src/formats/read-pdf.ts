import { getResolvedPDFJS } from 'unpdf';
import type { FormatJson, FormatTasks } from './tasks.ts';

/** Maximum number of characters on all pages. */
const maxLength = 32 * 1024 * 1024;

/**
 * `{ numpages, numrender, info, metadata, text, version }`: total pages and pages read, the
 * document's properties and XMP metadata, its text (a list of pages unless they are joined), and
 * the PDF.js version. Nothing in the document is executed, rendered, or fetched.
 */
export async function readPdf({ bytes, password, maxPages, joinPages }: FormatTasks['readPdf']['input']): Promise<FormatJson> {
  const { getDocument, version, VerbosityLevel } = await getResolvedPDFJS();
  const loading = getDocument({
    data: bytes,
    password,
    verbosity: VerbosityLevel.ERRORS,
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    stopAtErrors: false,
  });
  const document = await loading.promise;
  const { info, metadata } = await document.getMetadata();
  const count = maxPages > 0 ? Math.min(maxPages, document.numPages) : document.numPages;
  const pages = await readPages(document, count);
  const facts = {
    numpages: document.numPages,
    numrender: count,
    info,
    metadata: metadata ? Object.fromEntries(metadata) : undefined,
    text: joinPages ? pages.join('\n\n') : pages,
    version,
  };
  return JSON.parse(JSON.stringify(facts)) as FormatJson;
}

type Pdf = Awaited<ReturnType<Awaited<ReturnType<typeof getResolvedPDFJS>>['getDocument']>['promise']>;

async function readPages(document: Pdf, count: number): Promise<string[]> {
  const pages: string[] = [];
  let length = 0;
  for (let number = 1; number <= count; number++) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const text = joinPieces(items);
    page.cleanup();
    length += text.length;
    if (length > maxLength) throw new Error(`its text has more than ${maxLength} characters`);
    pages.push(text);
  }
  return pages;
}

interface Piece {
  str: string;
  /** The last number is the height of the baseline. */
  transform: number[];
}

/** Pieces on the same baseline form a line. */
function joinPieces(items: readonly object[]): string {
  let text = '';
  let baseline: number | undefined;
  for (const { str, transform } of items.filter(isPiece)) {
    const height = transform[5];
    text += baseline === undefined || baseline === height ? str : `\n${str}`;
    baseline = height;
  }
  return text;
}

function isPiece(item: object): item is Piece {
  return 'str' in item;
}
