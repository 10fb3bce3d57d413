import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type BinaryReference, type ExecuteContext, NodeOperationError } from '@sluice/node-sdk';
import { baseName, binaryOf, openBinary, storeBinary } from '../../shared/binary-files.ts';
import { extensionOf } from '../../shared/file-type.ts';
import { choiceParameter, namesParameter, textParameter } from '../../shared/parameters.ts';
import { UnusedNames } from '../../shared/unused-names.ts';

type Files = Record<string, BinaryReference>;

/** An item's compressed files, which replace all its previous files. */
export async function compress(context: ExecuteContext, itemIndex: number): Promise<Files> {
  const properties = namesParameter(context, 'binaryPropertyName', itemIndex);
  if (properties.length === 0) properties.push('data');
  for (const property of properties) binaryOf(context, itemIndex, property);
  const fallback = context.typeVersion > 1 ? 'zip' : '';
  const format = choiceParameter(context, 'outputFormat', itemIndex, ['gzip', 'zip', ''], fallback);
  if (format === '')
    throw new NodeOperationError('the parameter "outputFormat" is required', { itemIndex, description: 'Choose zip or gzip' });
  if (format === 'gzip') return gzip(context, itemIndex, properties);
  const output = textParameter(context, 'binaryPropertyOutput', itemIndex, 'data').trim() || 'data';
  return Object.fromEntries([[output, await zip(context, itemIndex, properties)]]);
}

/**
 * One file per input file: version 1 numbers all files, later versions number from the second file
 * on.
 */
async function gzip(context: ExecuteContext, itemIndex: number, properties: readonly string[]): Promise<Files> {
  const isFirst = context.typeVersion < 1.1;
  const named = isFirst ? '' : textParameter(context, 'fileName', itemIndex).trim();
  const output = isFirst
    ? textParameter(context, 'outputPrefix', itemIndex, 'data')
    : textParameter(context, 'binaryPropertyOutput', itemIndex, 'data').trim() || 'data';
  const files: [string, BinaryReference][] = [];
  for (const [index, property] of properties.entries()) {
    const name = nameOf(context, itemIndex, property);
    const fileName = named || (isFirst ? `${stemOf(name)}.gzip` : `${name}.gz`);
    files.push([isFirst || index > 0 ? `${output}${index}` : output, await gzipOne(context, itemIndex, property, fileName)]);
  }
  return Object.fromEntries(files);
}

async function gzipOne(
  context: ExecuteContext,
  itemIndex: number,
  property: string,
  fileName: string,
): Promise<BinaryReference> {
  const packed = createGzip();
  // The stream's reader receives the failure.
  pipeline(await openBinary(context, itemIndex, property), packed, { signal: context.signal }).catch(() => {});
  return storeBinary(context, itemIndex, packed, { fileName, mimeType: 'application/gzip' });
}

function stemOf(name: string): string {
  return name.replace(/(?<=.)\.[^.]*$/, '');
}

async function zip(context: ExecuteContext, itemIndex: number, properties: readonly string[]): Promise<BinaryReference> {
  const { ZipFile } = await import('yazl');
  const archive = new ZipFile();
  const output = new PassThrough();
  // The stream's reader receives the failure.
  archive.on('error', (error: Error) => output.destroy(error));
  pipeline(archive.outputStream, output, { signal: context.signal }).catch(() => {});
  const names = new UnusedNames(numberedName);
  for (const property of properties) {
    const name = names.take(nameOf(context, itemIndex, property));
    // Opened when the library reads it. The library does not report its failure.
    const content = Readable.from(contentOf(context, itemIndex, property));
    archive.addReadStream(
      content.on('error', (error) => output.destroy(error)),
      name,
    );
  }
  archive.end();
  const fileName = textParameter(context, 'fileName', itemIndex).trim() || 'archive.zip';
  return storeBinary(context, itemIndex, output, { fileName, mimeType: 'application/zip' });
}

async function* contentOf(context: ExecuteContext, itemIndex: number, property: string): AsyncGenerator<Uint8Array> {
  for await (const piece of await openBinary(context, itemIndex, property)) {
    context.signal.throwIfAborted();
    yield piece;
  }
}

function nameOf(context: ExecuteContext, itemIndex: number, property: string): string {
  return baseName(binaryOf(context, itemIndex, property).fileName ?? '') || baseName(property) || 'file';
}

/** `a (2).txt` is the second `a.txt`. */
function numberedName(name: string, count: number): string {
  const extension = extensionOf(name) && name.slice(name.lastIndexOf('.'));
  const stem = name.slice(0, name.length - extension.length);
  return `${stem} (${count + 1})${extension}`;
}
