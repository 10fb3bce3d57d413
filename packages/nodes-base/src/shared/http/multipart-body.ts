import {
  type BinaryReference,
  type ExecuteContext,
  encodeMultipart,
  type FormFile,
  type HttpBodyStream,
} from '@sluice/node-sdk';

/** A form part: a field, or a file of the item. */
export type FormPart = { name: string; value: string } | { name: string; file: BinaryReference };

/**
 * A `multipart/form-data` body that streams files from the store each time it is sent. Rejects as
 * `encodeMultipart` does.
 */
export async function multipartBody(
  binary: ExecuteContext['binary'],
  parts: readonly FormPart[],
): Promise<{ body: HttpBodyStream; contentType: string }> {
  return encodeMultipart(parts.map((part) => ('file' in part ? { ...part, file: storedFile(binary, part.file) } : part)));
}

function storedFile(binary: ExecuteContext['binary'], file: BinaryReference): FormFile {
  const { fileName: name = 'file', mimeType: type, fileSize: size = Number.NaN } = file;
  return {
    name,
    type,
    size,
    async *stream() {
      yield* await binary.open(file);
    },
  };
}
