import type { ExecuteContext, JsonObject, JsonValue } from '@sluice/node-sdk';
import { parseFieldPath, setOwn, withField } from '../../shared/field-path.ts';
import { booleanParameter, choiceParameter, parseJsonParameter, textParameter, unsupported } from '../../shared/parameters.ts';
import { contentTypes } from './http-request-properties.ts';
import { plainText, readPairs } from './request-parts.ts';

/** A body with its media type; the type is the author's to override by a header. */
export interface RequestBody {
  body: string;
  contentType: string;
}

/** `undefined`: the request has no body. */
export function requestBody(context: ExecuteContext, itemIndex: number): RequestBody | undefined {
  if (!booleanParameter(context, 'sendBody', itemIndex, false)) return undefined;
  const type = choiceParameter(context, 'contentType', itemIndex, contentTypes, 'json');
  switch (type) {
    case 'json':
      return jsonBody(context, itemIndex);
    case 'form-urlencoded':
      return { body: formBody(context, itemIndex), contentType: 'application/x-www-form-urlencoded' };
    case 'raw':
      return {
        body: textParameter(context, 'body', itemIndex),
        contentType: textParameter(context, 'rawContentType', itemIndex) || 'text/plain',
      };
    case 'multipart-form-data':
    case 'binaryData':
      throw unsupported(`a request body of type ${type}`, 'Send JSON, a URL-encoded form or raw text', itemIndex);
  }
}

function jsonBody(context: ExecuteContext, itemIndex: number): RequestBody | undefined {
  const body = isJson(context, itemIndex) ? jsonText(context, itemIndex) : JSON.stringify(pairsAsObject(context, itemIndex));
  return body === undefined ? undefined : { body, contentType: 'application/json' };
}

function isJson(context: ExecuteContext, itemIndex: number): boolean {
  return choiceParameter(context, 'specifyBody', itemIndex, ['keypair', 'json', 'string'], 'keypair') === 'json';
}

/** Text is checked and sent as it was written, so that numbers beyond what we can hold stay what they are. */
function jsonText(context: ExecuteContext, itemIndex: number): string | undefined {
  const value = context.parameter<JsonValue>('jsonBody', itemIndex) ?? '';
  if (typeof value !== 'string') return JSON.stringify(value);
  if (value.trim() === '') return undefined;
  parseJsonParameter('jsonBody', value, itemIndex);
  return value;
}

/** From version 4 on, dots in names reach into objects. */
function pairsAsObject(context: ExecuteContext, itemIndex: number): JsonObject {
  let object: JsonObject = {};
  for (const [name, value] of bodyPairs(context, itemIndex)) {
    if (context.typeVersion >= 4) object = withField(object, parseFieldPath(name), value);
    else setOwn(object, name, value);
  }
  return object;
}

function formBody(context: ExecuteContext, itemIndex: number): string {
  const specified = choiceParameter(context, 'specifyBody', itemIndex, ['keypair', 'json', 'string'], 'keypair');
  if (specified === 'string') return textParameter(context, 'body', itemIndex);
  const pairs = bodyPairs(context, itemIndex).map(([name, value]): [string, string] => [name, plainText(value)]);
  return new URLSearchParams(pairs).toString();
}

function bodyPairs(context: ExecuteContext, itemIndex: number): [string, JsonValue][] {
  return readPairs(context, itemIndex, { specify: 'specifyBody', pairs: 'bodyParameters', json: 'jsonBody' });
}
