import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import {
  type BinaryReference,
  type JsonObject,
  type JsonValue,
  PayloadTooLargeError,
  userKeyed,
  ValidationError,
} from '@sluice/domain';
import type { CallFiles } from './call-files.ts';

/** A file with the field that it stands in. */
export interface FormFile {
  field: string;
  file: BinaryReference;
}

export interface ReadForm {
  fields: JsonObject;
  files: FormFile[];
}

const maxParts = 1_000;

/**
 * Reads a body of `multipart/form-data`; its files go into the store as they come, or are left out where there is none. A field that comes
 * several times is a list. Throws `PayloadTooLargeError` and `ValidationError`.
 */
export async function readForm(
  source: Readable,
  contentType: string,
  { files, limitBytes }: { files: CallFiles | undefined; limitBytes: number },
): Promise<ReadForm> {
  const fields = new FormFields(limitBytes);
  const storing: Promise<FormFile>[] = [];
  const failed = new AbortController();
  const fail = (error: unknown) => failed.abort(error);
  const parser = createParser(contentType, limitBytes);
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
    parser.on(limit, () => fail(new PayloadTooLargeError('the form has too many parts')));
  parser.on('field', (name: string, value: string, nameCut: boolean, valueCut: boolean) => {
    if (nameCut || valueCut || !fields.add(name, value)) fail(new PayloadTooLargeError('the fields of the form are too large'));
  });
  parser.on('file', (field: string, stream: Readable, fileName: string | undefined, _encoding: string, mimeType: string) => {
    if (!files) return void stream.resume();
    const named = fileName === undefined || fileName === '' ? {} : { fileName };
    const stored = files.take(stream, { ...named, mimeType }).then((file) => ({ field, file }));
    stored.catch(fail);
    storing.push(stored);
  });
  try {
    await pipeline(source, parser, { signal: failed.signal });
    return { fields: fields.values, files: await Promise.all(storing) };
  } catch (error) {
    await Promise.allSettled(storing);
    throw failed.signal.aborted ? failed.signal.reason : toRefusal(error);
  }
}

function createParser(contentType: string, limitBytes: number): BusboyInstance {
  const limits = { fieldNameSize: 1_000, fieldSize: limitBytes, fields: maxParts, files: maxParts, parts: maxParts };
  try {
    return new Busboy({ headers: { 'content-type': contentType } as BusboyHeaders, limits, preservePath: false });
  } catch {
    throw new ValidationError('the form has no boundary');
  }
}

function toRefusal(error: unknown): unknown {
  const { code } = (error ?? {}) as { code?: unknown };
  // The client went away, or the storage does not work: not what the form says.
  return typeof code === 'string' ? error : new ValidationError('the form cannot be read');
}

class FormFields {
  readonly values: JsonObject = userKeyed();
  #left: number;

  constructor(limitBytes: number) {
    this.#left = limitBytes;
  }

  /** False: too much in all. */
  add(name: string, value: string): boolean {
    this.#left -= name.length + Buffer.byteLength(value);
    const before: JsonValue | undefined = Object.hasOwn(this.values, name) ? this.values[name] : undefined;
    this.values[name] = before === undefined ? value : [before, value].flat();
    return this.#left >= 0;
  }
}
