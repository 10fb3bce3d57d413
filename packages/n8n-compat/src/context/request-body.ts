import { PassThrough, type Readable } from 'node:stream';
import {
  encodeForm,
  encodeMultipart,
  type FormFile,
  GatheredBytes,
  type HttpBodyStream,
  type HttpRequest,
  stringifyJson,
  TimeSlice,
} from '@sluice/node-sdk';
import { formText } from './query-string.ts';
import type { RequestPlan } from './request-options.ts';

/** An encoded body and its headers. */
interface EncodedBody {
  body?: HttpRequest['body'];
  headers: Record<string, string>;
}

/** A form of the library that packages bundle. */
interface StreamedForm {
  getHeaders(): Record<string, string>;
}

/**
 * Encodes the body of a package's request: forms of either library, streams, bytes, strings, and
 * objects as JSON or as a form, depending on their content type.
 */
export async function encodedBody({ body, form, formData, sendsJson }: RequestPlan, contentType: string): Promise<EncodedBody> {
  if (formData) return multipart(await formOf(formData));
  if (form !== undefined && form !== null) return urlEncoded(form);
  if (body === undefined || body === null || body === '') return { headers: {} };
  if (typeof body === 'string') return { body, headers: sendsJson && contentType === '' && isJsonText(body) ? json : {} };
  return ready(body) ?? encodedObject(body, contentType, sendsJson);
}

/** Bodies that need no encoding: bytes, streams, and encoded forms. */
function ready(body: unknown): EncodedBody | Promise<EncodedBody> | undefined {
  if (ArrayBuffer.isView(body)) return { body: new Uint8Array(body.buffer, body.byteOffset, body.byteLength), headers: {} };
  if (isStream(body)) return streamed(body);
  if (isBodyStream(body)) return { body, headers: {} };
  switch (tagOf(body)) {
    case 'ArrayBuffer':
      return { body: new Uint8Array(body as ArrayBuffer), headers: {} };
    case 'FormData':
      return multipart(body as FormData);
    case 'URLSearchParams':
      return encodeForm(body as URLSearchParams).then((text) => ({ body: text, headers: formType }));
    default:
      return undefined;
  }
}

async function encodedObject(body: unknown, contentType: string, sendsJson: boolean): Promise<EncodedBody> {
  if (typeof body !== 'object' || body === null) return { body: String(body), headers: {} };
  if (contentType.startsWith('application/x-www-form-urlencoded')) return urlEncoded(body);
  if (contentType.startsWith('multipart/form-data')) return multipart(await formOf(body as Record<string, unknown>));
  return isEmpty(body) && !sendsJson ? { headers: {} } : { body: await stringifyJson(body), headers: json };
}

const json = { 'content-type': 'application/json' };
const formType = { 'content-type': 'application/x-www-form-urlencoded' };

async function urlEncoded(form: unknown): Promise<EncodedBody> {
  return { body: typeof form === 'string' ? form : await formText(form as object), headers: formType };
}

/**
 * Its content type contains the boundary, so it replaces any other. The body is buffered, because a
 * credential may sign it.
 */
async function multipart(form: FormData): Promise<EncodedBody> {
  const parts = [...form].map(([name, value]) => (typeof value === 'string' ? { name, value } : { name, file: fileOf(value) }));
  const { body, contentType } = await encodeMultipart(parts);
  return { body: await allBytes(await body.open()), headers: { 'content-type': contentType } };
}

/** Type declarations give a file the browser's stream type, which lacks the iterator. */
function fileOf(file: File): FormFile {
  const { name, type, size } = file;
  return { name, type, size, stream: () => file.stream() as unknown as AsyncIterable<Uint8Array> };
}

/**
 * Form fields in the format of the older library: values, or values with the name and type of a
 * file.
 */
async function formOf(fields: Record<string, unknown>): Promise<FormData> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    for (const one of Array.isArray(value) ? value : [value]) await appendField(form, name, one);
  }
  return form;
}

async function appendField(form: FormData, name: string, field: unknown): Promise<void> {
  if (field === undefined || field === null) return;
  const hasOptions = typeof field === 'object' && 'value' in field && 'options' in field;
  const value: unknown = hasOptions ? field.value : field;
  const options = (hasOptions ? field.options : {}) as string | { filename?: string; contentType?: string };
  const { filename = 'file', contentType = 'application/octet-stream' } =
    typeof options === 'string' ? { filename: options } : options;
  const bytes = ArrayBuffer.isView(value) || isStream(value) ? await bytesOf(value) : undefined;
  if (bytes) form.append(name, new Blob([bytes], { type: contentType }), filename);
  else if (hasOptions) form.append(name, new Blob([String(value)], { type: contentType }), filename);
  else form.append(name, typeof value === 'object' ? await stringifyJson(value) : String(value));
}

async function bytesOf(value: unknown): Promise<Uint8Array<ArrayBuffer>> {
  if (ArrayBuffer.isView(value)) return new Uint8Array(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
  return allBytes((value as Readable).pipe(new PassThrough()));
}

async function allBytes(source: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const slice = new TimeSlice();
  const gathered = new GatheredBytes();
  for await (const chunk of source) {
    gathered.add(chunk);
    if (slice.isOver) await slice.next();
  }
  return new Uint8Array(gathered.bytes());
}

/** A stream can be sent only once, so a redirect that repeats the body fails. */
function streamed(stream: Readable & Partial<StreamedForm>): EncodedBody {
  let isSent = false;
  const open = () => {
    if (isSent) throw new TypeError('the request body is a stream, which cannot be sent twice');
    isSent = true;
    const out = new PassThrough();
    stream.on('error', (error: Error) => out.destroy(error));
    return stream.pipe(out) as AsyncIterable<Uint8Array>;
  };
  return { body: { open, once: true }, headers: stream.getHeaders?.() ?? {} };
}

/** Whether a value is one of our body sources, passed on by a package. */
function isBodyStream(value: unknown): value is HttpBodyStream {
  return typeof value === 'object' && value !== null && 'open' in value && typeof value.open === 'function';
}

function isStream(value: unknown): value is Readable {
  return typeof value === 'object' && value !== null && 'pipe' in value && typeof value.pipe === 'function';
}

/** Checks the class name, because a package may have its own copy of the class. */
function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0 && !Array.isArray(value);
}

function isJsonText(text: string): boolean {
  return /^\s*[[{]/.test(text);
}
