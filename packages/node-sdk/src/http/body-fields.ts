import { AppError, isJsonObject, type JsonValue, parseJson, stringifyJson, TimeSlice } from '@sluice/domain';
import { encodeForm } from './form-text.ts';
import { type HttpRequest, requestHeaderText } from './http.ts';

/**
 * Replaces body fields of the same name, in time slices, because the body may be large. Rejects
 * with `CREDENTIAL_UNUSABLE` if fields cannot be added to the body.
 */
export async function withBodyFields(
  request: HttpRequest,
  fields: readonly (readonly [string, JsonValue])[],
): Promise<HttpRequest> {
  if (fields.length === 0) return request;
  const text = typeof request.body === 'string' ? request.body : '';
  const type = contentType(request);
  if (type === 'application/x-www-form-urlencoded') return { ...request, body: await withFormFields(text, fields.map(asText)) };
  const json = type === 'application/json' ? await parsed(text) : undefined;
  if (!isJsonObject(json))
    throw unusable('this credential goes into the body, which must be a JSON object or a URL-encoded form');
  return { ...request, body: await stringifyJson({ ...json, ...Object.fromEntries(fields) }) };
}

/** The credential does not suit the request. */
export function unusable(message: string): AppError {
  return new AppError({ code: 'CREDENTIAL_UNUSABLE', message });
}

function asText([name, value]: readonly [string, JsonValue]): [string, string] {
  return [name, typeof value === 'object' ? JSON.stringify(value) : String(value)];
}

function contentType(request: HttpRequest): string {
  return requestHeaderText(request, 'content-type').split(';', 1).join().trim().toLowerCase();
}

async function parsed(text: string): Promise<unknown> {
  try {
    return await parseJson(text);
  } catch {
    return undefined;
  }
}

/** Maximum length of an encoded UTF-16 code unit: three UTF-8 bytes, each escaped. */
const longestEscape = 9;

/**
 * Sets fields of a URL-encoded form, as `URLSearchParams.set` does, in time slices. All other
 * fields keep their text.
 */
export async function withFormFields(form: string, fields: readonly (readonly [string, string])[]): Promise<string> {
  const remaining = new Map<string, string>();
  for (const [name, value] of fields) remaining.set(name, await encodeForm([[name, value]]));
  const names = new Set(remaining.keys());
  const longest = Math.max(...[...names].map((name) => name.length)) * longestEscape;
  const pieces: string[] = [];
  const slice = new TimeSlice();
  let keptFrom = 0;
  for (let start = 0; start < form.length; ) {
    const end = indexOrEnd(form, '&', start);
    const name = end > start ? nameWithin(form, start, end, longest) : undefined;
    if (name !== undefined && names.has(name)) {
      pieces.push(form.slice(keptFrom, Math.max(keptFrom, start - 1)), remaining.get(name) ?? '');
      remaining.delete(name);
      keptFrom = end + 1;
    }
    start = end + 1;
    if (slice.isOver) await slice.next();
  }
  return [...pieces, form.slice(keptFrom), ...remaining.values()].filter((piece) => piece !== '').join('&');
}

/** The name of the field between two indexes; `undefined` if its text is longer than `longest`. */
function nameWithin(form: string, start: number, end: number, longest: number): string | undefined {
  const raw = form.slice(start, Math.min(end, start + longest + 1));
  const equals = raw.indexOf('=');
  const text = equals === -1 ? raw : raw.slice(0, equals);
  if (text.length > longest) return undefined;
  return /[%+]/.test(text) ? new URLSearchParams(`&${text}=`).keys().next().value : text;
}

function indexOrEnd(text: string, part: string, from: number): number {
  const index = text.indexOf(part, from);
  return index === -1 ? text.length : index;
}
