import {
  type BinaryReference,
  type ChoiceField,
  type FileField,
  type FormField,
  type FormPage,
  isCalendarDay,
  type JsonObject,
  type JsonValue,
  type TextField,
  userKeyed,
} from '@sluice/domain';

/** Values and files sent for a page, by the index of their field. */
export interface Submission {
  values: ReadonlyMap<number, readonly string[]>;
  files: ReadonlyMap<number, readonly BinaryReference[]>;
  /** Text fields that were sent as a file. */
  misplaced?: ReadonlySet<number>;
}

/** The part of the item that the fields produce. */
export interface CheckedSubmission {
  json: JsonObject;
  binary: Record<string, BinaryReference>;
}

/** Errors are shown to the user, by the index of their field. */
export type Check = { ok: true; item: CheckedSubmission } | { ok: false; errors: Map<number, string> };

/** Validates a submission against the fields. Values without a field are ignored. */
export function checkSubmission({ fields }: FormPage, { values, files, misplaced }: Submission): Check {
  const errors = new Map<number, string>();
  const json: JsonObject = userKeyed();
  const binary: Record<string, BinaryReference> = userKeyed();
  for (const [index, field] of fields.entries()) {
    const texts = values.get(index) ?? [];
    const uploads = files.get(index) ?? [];
    const error = misplaced?.has(index) ? 'must be sent as text, not as a file' : errorOf(field, texts, uploads);
    if (error !== undefined) errors.set(index, error);
    else if (field.kind === 'file') takeFiles(field, uploads, { json, binary });
    else if (field.name !== undefined) json[field.name] = valueFor(field, texts);
  }
  return errors.size > 0 ? { ok: false, errors } : { ok: true, item: { json, binary } };
}

function errorOf(field: FormField, texts: readonly string[], files: readonly BinaryReference[]): string | undefined {
  switch (field.kind) {
    case 'html':
      return undefined;
    case 'hidden':
      return texts.length > 1 ? 'has several values' : undefined;
    case 'file':
      return texts.some((value) => value !== '') ? 'must be sent as a file, not as text' : fileError(field, files);
    case 'dropdown':
    case 'radio':
    case 'checkbox':
      return choiceError(
        field,
        texts.filter((value) => value !== ''),
      );
    default:
      return textError(field, texts);
  }
}

function textError({ kind, required }: TextField, texts: readonly string[]): string | undefined {
  if (texts.length > 1) return 'has several values';
  const value = (texts[0] ?? '').trim();
  if (value === '') return required ? 'is required' : undefined;
  if (kind === 'email' && !/^[^\s@]{1,64}@[^\s@]{1,255}$/.test(value)) return 'must be an email address';
  if (kind === 'number' && !isNumber(value)) return 'must be a number';
  if (kind === 'date' && !isCalendarDay(value)) return 'must be a date, as YYYY-MM-DD';
  return undefined;
}

function isNumber(text: string): boolean {
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text));
}

function choiceError(
  { options, multiple, required, atLeast, atMost }: ChoiceField,
  chosen: readonly string[],
): string | undefined {
  const offered = new Set(options);
  if (chosen.some((value) => !offered.has(value))) return 'has a choice that is not on offer';
  if (chosen.length === 0) return required ? 'is required' : undefined;
  if (chosen.length > 1 && !multiple) return 'takes one choice';
  if (new Set(chosen).size < chosen.length) return 'has a choice twice';
  if (atLeast !== undefined && chosen.length < atLeast)
    return `needs ${atLeast} choices${atMost === atLeast ? '' : ' or more'}`;
  if (atMost !== undefined && chosen.length > atMost) return `takes ${atMost} choices at most`;
  return undefined;
}

function fileError({ multiple, required, accept }: FileField, files: readonly BinaryReference[]): string | undefined {
  if (files.length === 0) return required ? 'is required' : undefined;
  if (files.length > 1 && !multiple) return 'takes one file';
  if (accept.length === 0 || files.every((file) => accept.some((wanted) => isOfType(file, wanted)))) return undefined;
  return `takes files of these types: ${accept.join(', ')}`;
}

function isOfType({ fileName = '', mimeType }: BinaryReference, wanted: string): boolean {
  if (wanted.startsWith('.')) return fileName.toLowerCase().endsWith(wanted);
  const type = (mimeType.split(';', 1)[0] ?? '').trim().toLowerCase();
  if (wanted === '*/*') return true;
  if (wanted.includes('/')) return wanted.endsWith('/*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted;
  return fileName.toLowerCase().endsWith(`.${wanted}`);
}

/** Empty text is `''`, an empty list `[]`, any other empty value `null`. */
function valueFor(field: Exclude<FormField, FileField>, texts: readonly string[]): JsonValue {
  const [value = ''] = texts;
  switch (field.kind) {
    case 'html':
      return field.html;
    case 'hidden':
      return texts[0] ?? field.value;
    case 'dropdown':
    case 'radio':
    case 'checkbox':
      return field.multiple ? texts.filter((chosen) => chosen !== '') : value || null;
    case 'number':
      return value.trim() === '' ? null : Number(value);
    case 'date':
      return value.trim() || null;
    case 'email':
      return value.trim();
    default:
      return value;
  }
}

function takeFiles(field: FileField, files: readonly BinaryReference[], { json, binary }: CheckedSubmission): void {
  const about = files.map(({ fileName, mimeType, fileSize }) => ({
    filename: fileName ?? '',
    mimetype: mimeType,
    size: fileSize ?? 0,
  }));
  json[field.name] = field.multiple ? about : (about[0] ?? null);
  const base = field.name.replace(/\W/g, '_');
  for (const [i, file] of files.entries()) binary[freeName(binary, field.multiple ? `${base}_${i}` : base)] = file;
}

/** Labels that differ in punctuation only would get the same name. */
function freeName(existing: object, wanted: string): string {
  let name = wanted;
  for (let number = 2; Object.hasOwn(existing, name); number += 1) name = `${wanted}_${number}`;
  return name;
}
