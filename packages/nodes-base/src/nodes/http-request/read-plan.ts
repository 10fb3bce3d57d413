import { type ExecuteContext, type JsonObject, type JsonValue, stringifyJson } from '@sluice/node-sdk';
import { binaryOf } from '../../shared/binary-files.ts';
import { coercedText } from '../../shared/coerced-text.ts';
import { parseFieldPath, setOwn, withField } from '../../shared/field-path.ts';
import type { FormPart } from '../../shared/http/multipart-body.ts';
import { plainText } from '../../shared/http/text-values.ts';
import {
  booleanParameter,
  choiceParameter,
  listParameter,
  numberParameter,
  objectParameter,
  parseDataParameter,
  requiredText,
  textParameter,
} from '../../shared/parameters.ts';
import { contentTypes, methods } from './http-request-properties.ts';
import { timeoutParameter } from './request-limits.ts';
import type { NamedValue, PlannedBody, RequestPlan } from './request-plan.ts';
import { writtenPairs } from './written-pairs.ts';

/**
 * Reads the parameters of version 3 and later. Throws `NodeOperationError`s that contain the
 * parameter name.
 */
export async function readPlan(context: ExecuteContext, itemIndex: number): Promise<RequestPlan> {
  const sent = (flag: string) => booleanParameter(context, flag, itemIndex, false);
  const keepHeaderCase = !booleanParameter(context, 'options.lowercaseHeaders', itemIndex, true);
  return {
    method: choiceParameter(context, 'method', itemIndex, methods, 'GET'),
    url: requiredText(context, 'url', itemIndex).trim(),
    query: sent('sendQuery') ? readPairs(context, itemIndex, 'specifyQuery', 'queryParameters', 'jsonQuery') : [],
    arrayFormat: choiceParameter(
      context,
      'options.queryParameterArrays',
      itemIndex,
      ['brackets', 'repeat', 'indices'],
      'indices',
    ),
    headers: sent('sendHeaders') ? ownHeaders(context, itemIndex, keepHeaderCase) : [],
    keepHeaderCase,
    body: sent('sendBody') ? await readBody(context, itemIndex) : undefined,
    timeoutMs: timeoutParameter(context, itemIndex),
    maxRedirects: maxRedirects(context, itemIndex),
    allowUnauthorizedCerts: booleanParameter(context, 'options.allowUnauthorizedCerts', itemIndex, false),
    proxy: textParameter(context, 'options.proxy', itemIndex).trim(),
  };
}

/** Names and values, from fields or from JSON. */
function readPairs(context: ExecuteContext, itemIndex: number, specify: string, pairs: string, json: string): NamedValue[] {
  const specified = choiceParameter(context, specify, itemIndex, ['keypair', 'json', 'string'], 'keypair');
  if (specified === 'json') return Object.entries(objectParameter(context, json, itemIndex));
  return writtenPairs(context, `${pairs}.parameters`, itemIndex);
}

function ownHeaders(context: ExecuteContext, itemIndex: number, keepCase: boolean): [string, string][] {
  const pairs = readPairs(context, itemIndex, 'specifyHeaders', 'headerParameters', 'jsonHeaders');
  return presentHeaders(pairs).map(([name, value]) => [
    keepCase ? name.trim() : name.trim().toLowerCase(),
    plainText(value).trim(),
  ]);
}

/** A header whose value is null is not sent. */
export function presentHeaders(pairs: readonly NamedValue[]): readonly NamedValue[] {
  return pairs.filter(([, value]) => value !== null);
}

/** Up to version 3, redirects are followed only with the option. */
function maxRedirects(context: ExecuteContext, itemIndex: number): number {
  const path = 'options.redirect.redirect';
  if (!booleanParameter(context, `${path}.followRedirects`, itemIndex, context.typeVersion >= 4)) return 0;
  return numberParameter(context, `${path}.maxRedirects`, itemIndex, 21);
}

async function readBody(context: ExecuteContext, itemIndex: number): Promise<PlannedBody | undefined> {
  switch (choiceParameter(context, 'contentType', itemIndex, contentTypes, 'json')) {
    case 'json':
      return jsonBody(context, itemIndex);
    case 'form-urlencoded':
      return formBody(context, itemIndex);
    case 'multipart-form-data':
      return { kind: 'multipart', parts: formParts(context, itemIndex) };
    case 'binaryData': {
      const field = requiredText(context, 'inputDataFieldName', itemIndex).trim();
      return { kind: 'file', file: binaryOf(context, itemIndex, field), contentType: '' };
    }
    case 'raw': {
      const contentType = textParameter(context, 'rawContentType', itemIndex) || 'text/plain';
      const value = context.parameter<JsonValue>('body', itemIndex, '');
      return { kind: 'text', text: typeof value === 'string' ? value : await stringifyJson(value), contentType };
    }
  }
}

async function jsonBody(context: ExecuteContext, itemIndex: number): Promise<PlannedBody | undefined> {
  const specified = choiceParameter(context, 'specifyBody', itemIndex, ['keypair', 'json', 'string'], 'keypair');
  if (specified === 'json') return jsonText('jsonBody', context.parameter('jsonBody', itemIndex), itemIndex);
  return { kind: 'json', value: pairsAsObject(context, itemIndex) };
}

/**
 * Text is validated and sent as written, so that numbers beyond JavaScript's precision are
 * unchanged.
 */
export async function jsonText(
  path: string,
  value: JsonValue | undefined,
  itemIndex: number,
): Promise<PlannedBody | undefined> {
  if (typeof value !== 'string') return { kind: 'json', value: value ?? null };
  if (value.trim() === '') return undefined;
  await parseDataParameter(path, value, itemIndex);
  return { kind: 'text', text: value, contentType: 'application/json' };
}

/** From version 4 on, dots in names refer to nested objects. */
function pairsAsObject(context: ExecuteContext, itemIndex: number): JsonObject {
  let object: JsonObject = {};
  for (const [name, value] of bodyPairs(context, itemIndex)) {
    if (context.typeVersion >= 4) object = withField(object, parseFieldPath(name), value);
    else setOwn(object, name, value);
  }
  return object;
}

function formBody(context: ExecuteContext, itemIndex: number): PlannedBody {
  const specified = choiceParameter(context, 'specifyBody', itemIndex, ['keypair', 'json', 'string'], 'keypair');
  if (specified === 'string') {
    return {
      kind: 'text',
      text: encodedForm(textParameter(context, 'body', itemIndex)),
      contentType: 'application/x-www-form-urlencoded',
    };
  }
  return { kind: 'form', fields: bodyPairs(context, itemIndex) };
}

/** The text as written; characters that a form cannot contain are encoded. */
function encodedForm(text: string): string {
  return text.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent);
}

function bodyPairs(context: ExecuteContext, itemIndex: number): NamedValue[] {
  return readPairs(context, itemIndex, 'specifyBody', 'bodyParameters', 'jsonBody');
}

function formParts(context: ExecuteContext, itemIndex: number): FormPart[] {
  return listParameter(context, 'bodyParameters.parameters', itemIndex).flatMap((entry): FormPart[] => {
    const name = coercedText(entry['name']);
    if (name === '') return [];
    if (entry['parameterType'] !== 'formBinaryData') return [{ name, value: plainText(entry['value'] ?? '') }];
    const field = coercedText(entry['inputDataFieldName']).trim() || 'data';
    return [{ name, file: binaryOf(context, itemIndex, field) }];
  });
}
