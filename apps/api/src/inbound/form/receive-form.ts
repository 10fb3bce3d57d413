import {
  AppError,
  type BinaryReference,
  type FormPage,
  isJsonObject,
  type JsonValue,
  ownProperty,
  ValidationError,
} from '@sluice/domain';
import type { Request } from 'express';
import type { BodyLimits } from '../../http/request/read-json.ts';
import { readBody, streamOf } from '../shared/read-body.ts';
import { readForm } from '../shared/read-form.ts';
import type { RequestFiles } from '../shared/request-files.ts';
import { checkSubmission, type Submission } from './check-submission.ts';
import { isKey, keyOf, queryOf } from './form-request.ts';
import type { RejectedForm, SentForm } from './form-service.ts';
import { inputName, keyInput } from './form-view.ts';

interface ReadSubmission extends Submission {
  /** Key of the page; `undefined` for a program, or a page of another site. */
  key: string | undefined;
}

interface SubmissionReading {
  limits: BodyLimits;
  /** Stores files as they arrive. */
  into: RequestFiles;
}

/** Reads and checks a form. Throws `ValidationError` for a body that is not a form. */
export async function receiveForm(
  request: Request,
  page: FormPage,
  reading: SubmissionReading,
): Promise<SentForm | RejectedForm> {
  const submission = await readSubmission(request, page, reading);
  const checked = checkSubmission(page, submission);
  const key = keyOf(request, submission.key);
  if (!checked.ok) return { page, key, values: submission.values, errors: checked.errors };
  return { item: checked.item, query: queryOf(request), files: reading.into, key };
}

/** Values by the index of their field: forms name fields by index, JSON by name. */
async function readSubmission(request: Request, page: FormPage, { limits, into }: SubmissionReading): Promise<ReadSubmission> {
  if (request.is('multipart/form-data')) {
    const takesFiles = page.fields.some(({ kind }) => kind === 'file');
    const contentType = request.get('content-type') ?? '';
    const form = await readForm(streamOf(request), contentType, {
      files: takesFiles ? into : undefined,
      limitBytes: limits.limitBytes,
    });
    const sent = form.files.filter(({ file }) => file.fileName !== undefined || (file.fileSize ?? 0) > 0);
    const filesOf = (index: number) => sent.filter(({ field }) => field === inputName(index)).map(({ file }) => file);
    const named = new Set([...sent.map(({ field }) => field), ...form.ignored]);
    const misplaced = page.fields.flatMap(({ kind }, index) =>
      kind !== 'file' && kind !== 'html' && named.has(inputName(index)) ? [index] : [],
    );
    const files = new Map(page.fields.map((_, index) => [index, filesOf(index)] as const));
    return { ...byPosition(page, form.fields), files, misplaced: new Set(misplaced) };
  }
  if (!request.is('urlencoded') && !request.is('json')) throw unsupported();
  const { body } = await readBody(request, { limits, files: { take: 'none' }, into });
  if (!isJsonObject(body)) throw new ValidationError('the body must be an object with a value for each field', '');
  return request.is('json') ? byName(page, body) : byPosition(page, body);
}

function byPosition({ fields }: FormPage, body: Record<string, JsonValue>): ReadSubmission {
  const key = ownProperty(body, keyInput);
  return {
    key: typeof key === 'string' && isKey(key) ? key : undefined,
    values: new Map(fields.map((_, index) => [index, textsOf(ownProperty(body, inputName(index)))] as const).filter(isFilled)),
    files: new Map<number, BinaryReference[]>(),
  };
}

function byName({ fields }: FormPage, body: Record<string, JsonValue>): ReadSubmission {
  const fieldOf = (name: string | undefined) => (name === undefined ? undefined : ownProperty(body, name));
  return {
    key: undefined,
    values: new Map(fields.map(({ name }, index) => [index, textsOf(fieldOf(name))] as const).filter(isFilled)),
    files: new Map(),
  };
}

function isFilled(entry: readonly [number, string[] | undefined]): entry is readonly [number, string[]] {
  return entry[1] !== undefined;
}

function textsOf(value: JsonValue | undefined): string[] | undefined {
  if (value === undefined || value === null) return undefined;
  return [value].flat().map((one) => {
    if (typeof one === 'object')
      throw new ValidationError('the values of the fields must be strings, numbers, or lists of them', '');
    return String(one);
  });
}

function unsupported(): AppError {
  return new AppError({ code: 'UNSUPPORTED_MEDIA_TYPE', message: 'a form must be sent as form fields, multipart or JSON' });
}
