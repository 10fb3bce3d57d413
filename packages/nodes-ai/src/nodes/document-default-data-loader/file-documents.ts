import {
  type BinaryReference,
  type ExecuteContext,
  type JsonObject,
  type JsonValue,
  mapSliced,
  memberOf,
  NodeOperationError,
  ownProperty,
  type TextDocument,
  TimeSlice,
} from '@sluice/node-sdk';
import {
  booleanParameter,
  choiceParameter,
  docxText,
  namesParameter,
  parseJsonText,
  readBinary,
  readCsvFile,
  readPdfPages,
  stringOf,
  textParameter,
  unsupported,
} from '@sluice/nodes-base/node-tools';
import { documentText } from './value-documents.ts';

const loaders = ['auto', 'csvLoader', 'docxLoader', 'epubLoader', 'jsonLoader', 'pdfLoader', 'textLoader'] as const;
type Loader = Exclude<(typeof loaders)[number], 'auto'>;

const loadersOfTypes: Readonly<Record<string, Loader>> = {
  'application/epub+zip': 'epubLoader',
  'application/json': 'jsonLoader',
  'application/pdf': 'pdfLoader',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docxLoader',
  'text/csv': 'csvLoader',
};
const loadersOfEndings: Readonly<Record<string, Loader>> = {
  csv: 'csvLoader',
  docx: 'docxLoader',
  epub: 'epubLoader',
  json: 'jsonLoader',
  pdf: 'pdfLoader',
};

/** The documents in the files of an item. */
export async function fileDocuments(context: ExecuteContext, itemIndex: number): Promise<TextDocument[]> {
  const binary = context.items()[itemIndex]?.binary ?? {};
  const mode = choiceParameter(context, 'binaryMode', itemIndex, ['allInputData', 'specificField'], 'allInputData');
  const isOne = mode === 'specificField';
  const names = isOne ? [textParameter(context, 'binaryDataKey', itemIndex, 'data') || 'data'] : Object.keys(binary);
  const documents: TextDocument[] = [];
  for (const name of names) for (const document of await documentsOfFile(context, itemIndex, name)) documents.push(document);
  return documents;
}

/**
 * The documents in one file of an item, in the format that the parameter `loader` or the file type
 * specifies.
 */
export async function documentsOfFile(context: ExecuteContext, itemIndex: number, property: string): Promise<TextDocument[]> {
  const file = fileOf(context, itemIndex, property);
  const documents = await documentsIn(context, itemIndex, property, loaderOf(context, itemIndex, file));
  const metadata = { source: 'blob', blobType: file.mimeType };
  return mapSliced(documents, (document) => ({ text: document.text, metadata: { ...metadata, ...document.metadata } }));
}

function fileOf(context: ExecuteContext, itemIndex: number, property: string): BinaryReference {
  const binary = context.items()[itemIndex]?.binary ?? {};
  const file = ownProperty(binary, property);
  if (file) return file;
  throw new NodeOperationError(`the item has no file "${property}"`, {
    itemIndex,
    description: `Name a file of the item in "Input Data Field Name": ${Object.keys(binary).join(', ') || 'it has none'}`,
  });
}

function loaderOf(context: ExecuteContext, itemIndex: number, { mimeType, fileName = '' }: BinaryReference): Loader {
  const loader = choiceParameter(context, 'loader', itemIndex, loaders, 'auto');
  if (loader !== 'auto') return loader;
  const ending = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase();
  const match = ownProperty(loadersOfTypes, mimeType) ?? ownProperty(loadersOfEndings, ending);
  if (match) return match;
  if (mimeType.startsWith('text/')) return 'textLoader';
  throw new NodeOperationError(`the loader cannot read files of the type ${mimeType}`, {
    itemIndex,
    description: 'Choose a data format, or extract the text with "Extract from File" first',
  });
}

async function documentsIn(
  context: ExecuteContext,
  itemIndex: number,
  property: string,
  loader: Loader,
): Promise<TextDocument[]> {
  switch (loader) {
    case 'csvLoader':
      return csvDocuments(context, itemIndex, property);
    case 'docxLoader':
      return [{ text: await docxText(context, itemIndex, property), metadata: {} }];
    case 'epubLoader':
      throw unsupported('EPUB files', 'Convert the file to text first', itemIndex);
    case 'jsonLoader':
      return jsonDocuments(context, itemIndex, await textOf(context, itemIndex, property));
    case 'pdfLoader':
      return pdfDocuments(context, itemIndex, property);
    case 'textLoader':
      return [{ text: await textOf(context, itemIndex, property), metadata: {} }];
  }
}

async function textOf(context: ExecuteContext, itemIndex: number, property: string): Promise<string> {
  return new TextDecoder().decode(await readBinary(context, itemIndex, property));
}

async function csvDocuments(context: ExecuteContext, itemIndex: number, property: string): Promise<TextDocument[]> {
  const delimiter = textParameter(context, 'options.separator', itemIndex) || ',';
  const column = textParameter(context, 'options.column', itemIndex);
  const rows = await readCsvFile(context, itemIndex, property, delimiter);
  return mapSliced(rows, (row, index) => ({ text: rowText(row, column, itemIndex), metadata: { line: index + 1 } }));
}

function rowText(row: JsonObject, column: string, itemIndex: number): string {
  if (column === '')
    return Object.entries(row)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n');
  const value = ownProperty(row, column);
  if (value !== undefined) return stringOf(value);
  throw new NodeOperationError(`the CSV file has no column "${column}"`, {
    itemIndex,
    description: `Columns: ${Object.keys(row).join(', ')}`,
  });
}

async function pdfDocuments(context: ExecuteContext, itemIndex: number, property: string): Promise<TextDocument[]> {
  const pages = await readPdfPages(context, itemIndex, property);
  if (!booleanParameter(context, 'options.splitPages', itemIndex, true))
    return [{ text: pages.join('\n\n'), metadata: { pdf: { totalPages: pages.length } } }];
  return pages.map((text, index) => ({ text, metadata: { pdf: { totalPages: pages.length }, page: index + 1 } }));
}

async function jsonDocuments(context: ExecuteContext, itemIndex: number, text: string): Promise<TextDocument[]> {
  const value = await parseJsonText(text, itemIndex);
  const pointers = namesParameter(context, 'options.pointers', itemIndex);
  if (pointers.length === 0) return [{ text: await documentText(value, context.signal), metadata: {} }];
  const documents: TextDocument[] = [];
  const slice = new TimeSlice();
  for (const one of [value].flat())
    for (const pointer of pointers) {
      if (slice.isOver) await slice.next();
      const part = pointed(one, pointer);
      if (part !== undefined) documents.push({ text: await documentText(part, context.signal), metadata: { pointer } });
    }
  return documents;
}

/** RFC 6901. */
function pointed(value: JsonValue, pointer: string): JsonValue | undefined {
  const parts = pointer.split('/').slice(1);
  return parts.reduce<JsonValue | undefined>(
    (at, part) => memberOf(at, part.replaceAll('~1', '/').replaceAll('~0', '~')),
    value,
  );
}
