import { type ExecuteContext, type JsonObject, type JsonValue, NodeOperationError, stringifyJson } from '@sluice/node-sdk';
import { binaryOf } from '../../shared/binary-files.ts';
import type { FormPart } from '../../shared/http/multipart-body.ts';
import { plainText } from '../../shared/http/text-values.ts';
import { booleanParameter, choiceParameter, objectParameter, requiredText, textParameter } from '../../shared/parameters.ts';
import { legacyContentTypes, legacyMethods } from './legacy-properties.ts';
import { jsonText, presentHeaders } from './read-plan.ts';
import { timeoutParameter } from './request-limits.ts';
import type { NamedValue, PlannedBody, RequestPlan } from './request-plan.ts';
import { writtenPairs } from './written-pairs.ts';

const bodyMethods = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const fileMethods = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Reads the parameters of versions 1 and 2. Throws `NodeOperationError`s that contain the parameter
 * name.
 */
export async function readLegacyPlan(context: ExecuteContext, itemIndex: number): Promise<RequestPlan> {
  const flag = (path: string, fallback = false) => booleanParameter(context, path, itemIndex, fallback);
  const method = choiceParameter(context, 'requestMethod', itemIndex, legacyMethods, 'GET');
  return {
    method,
    url: requiredText(context, 'url', itemIndex).trim(),
    query: readPairs(context, itemIndex, 'queryParameters'),
    arrayFormat: flag('options.useQueryString') ? 'repeat' : 'indices',
    headers: presentHeaders(readPairs(context, itemIndex, 'headerParameters')).map(([name, value]) => [
      name.trim().toLowerCase(),
      plainText(value).trim(),
    ]),
    keepHeaderCase: false,
    body: bodyMethods.has(method) ? await readBody(context, itemIndex, method) : undefined,
    timeoutMs: timeoutParameter(context, itemIndex),
    maxRedirects: followsRedirects(method, flag) ? 21 : 0,
    allowUnauthorizedCerts: flag('allowUnauthorizedCerts'),
    proxy: textParameter(context, 'options.proxy', itemIndex).trim(),
  };
}

/** Read-only requests follow redirects by default; other requests only with the option. */
function followsRedirects(method: string, flag: (path: string, fallback?: boolean) => boolean): boolean {
  const reads = method === 'GET' || method === 'HEAD';
  return flag('options.followAllRedirects') || (reads && flag('options.followRedirect', true));
}

/** Names and values from `<parameter>Json` or `<parameter>Ui`. */
function readPairs(context: ExecuteContext, itemIndex: number, parameter: string): NamedValue[] {
  if (booleanParameter(context, 'jsonParameters', itemIndex, false)) {
    return Object.entries(jsonObject(context, itemIndex, `${parameter}Json`));
  }
  return writtenPairs(context, `${parameter}Ui.parameter`, itemIndex);
}

function jsonObject(context: ExecuteContext, itemIndex: number, path: string): JsonObject {
  return context.parameter<JsonValue>(path, itemIndex) === '' ? {} : objectParameter(context, path, itemIndex);
}

async function readBody(context: ExecuteContext, itemIndex: number, method: string): Promise<PlannedBody | undefined> {
  const kind = choiceParameter(context, 'options.bodyContentType', itemIndex, legacyContentTypes, 'json');
  const contentType = textParameter(context, 'options.bodyContentCustomMimeType', itemIndex);
  const jsonParameters = booleanParameter(context, 'jsonParameters', itemIndex, false);
  if (jsonParameters && fileMethods.has(method) && booleanParameter(context, 'sendBinaryData', itemIndex, false)) {
    return filesBody(context, itemIndex, kind, contentType);
  }
  if (jsonParameters && kind !== 'form-urlencoded' && kind !== 'multipart-form-data') {
    return rawBody(context, itemIndex, kind, contentType);
  }
  const pairs = readPairs(context, itemIndex, 'bodyParameters');
  if (pairs.length === 0) return undefined;
  if (kind === 'form-urlencoded') return { kind: 'form', fields: pairs };
  if (kind === 'multipart-form-data')
    return { kind: 'multipart', parts: pairs.map(([name, value]) => ({ name, value: plainText(value) })) };
  return { kind: 'json', value: Object.fromEntries(pairs) };
}

/** The body as written, validated if its type is JSON. */
async function rawBody(
  context: ExecuteContext,
  itemIndex: number,
  kind: 'json' | 'raw',
  contentType: string,
): Promise<PlannedBody | undefined> {
  const value = context.parameter<JsonValue>('bodyParametersJson', itemIndex) ?? '';
  if (kind === 'json') return jsonText('bodyParametersJson', value, itemIndex);
  const text = typeof value === 'string' ? value : await stringifyJson(value);
  return text === '' ? undefined : { kind: 'text', text, contentType: contentType || 'text/plain' };
}

/** `field` is one file; for a form, `name:field` pairs, separated by commas, define its parts. */
function filesBody(
  context: ExecuteContext,
  itemIndex: number,
  kind: (typeof legacyContentTypes)[number],
  contentType: string,
): PlannedBody {
  const names = textParameter(context, 'binaryPropertyName', itemIndex, 'data')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (kind === 'multipart-form-data')
    return { kind: 'multipart', parts: names.map((name) => filePart(context, itemIndex, name)) };
  const [field, ...more] = names;
  if (kind !== 'raw' || field === undefined || more.length > 0) {
    throw new NodeOperationError('files are sent one at a time as a raw body, or as parts of a form', {
      itemIndex,
      description: 'Set the option "Body Content Type" to RAW/Custom, or to Form-Data Multipart',
    });
  }
  return { kind: 'file', file: binaryOf(context, itemIndex, field), contentType };
}

function filePart(context: ExecuteContext, itemIndex: number, entry: string): FormPart {
  const [name = '', field = name] = entry.split(':').map((part) => part.trim());
  return { name, file: binaryOf(context, itemIndex, field) };
}
