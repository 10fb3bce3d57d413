import { posix } from 'node:path';
import type { BinaryReference } from '@sluice/domain';
import mime from 'mime-types';

/** Known properties of a file. */
export interface FileDescription {
  fileName?: string;
  mimeType?: string;
}

export type DescribedFile = Pick<BinaryReference, 'mimeType' | 'fileName' | 'fileExtension' | 'directory'>;

const unknownType = 'application/octet-stream';
const maxNameLength = 255;
const maxFolderLength = 1_024;

/** Completes a description: the type from the extension, the extension from the type. */
export function describeFile({ fileName, mimeType }: FileDescription): DescribedFile {
  const name = cleanName(fileName ?? '');
  const folder = folderOf(fileName ?? '');
  const type = asMimeType(mimeType) ?? (mime.lookup(name) || unknownType);
  const extension = /[^.]\.([^.]+)$/.exec(name)?.[1] ?? extensionOf(type);
  return {
    mimeType: type,
    ...(name !== '' && { fileName: name }),
    ...(extension !== undefined && { fileExtension: extension }),
    ...(name !== '' && folder !== '' && { directory: folder }),
  };
}

/**
 * The file name without folders and control characters, so that it is safe to display, store, and
 * send in a header.
 */
function cleanName(fileName: string): string {
  const base = fileName.slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1);
  return withoutControls(base).trim().slice(-maxNameLength).toWellFormed();
}

/**
 * The folder in a file name. It is only shown to authors: expressions read it to write the file to
 * the same place.
 */
function folderOf(fileName: string): string {
  const folder = posix.parse(fileName.replaceAll('\\', '/')).dir;
  return withoutControls(folder).slice(0, maxFolderLength).toWellFormed();
}

const withoutControls = (text: string): string => text.toWellFormed().replaceAll(/\p{Cc}/gu, '');

/** `undefined`: not valid as a `Content-Type`. */
function asMimeType(text: string | undefined): string | undefined {
  const trimmed = text?.trim() ?? '';
  return /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}([\t ]*;[\x20-\x7e]{0,200})?$/.test(trimmed) ? trimmed : undefined;
}

function extensionOf(type: string): string | undefined {
  return type === unknownType ? undefined : mime.extension(type) || undefined;
}
