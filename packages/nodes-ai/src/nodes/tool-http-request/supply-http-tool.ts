import {
  type ExecuteContext,
  encodeQuery,
  type HttpAuthentication,
  type HttpRequest,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  NodeApiError,
  NodeOperationError,
  ownProperty,
  parseJson,
  type Tool,
} from '@sluice/node-sdk';
import {
  assertPlainPath,
  booleanParameter,
  coercedText,
  listParameter,
  optimizedResponse,
  optimizedType,
  requiredText,
  textParameter,
} from '@sluice/nodes-base/node-tools';
import { toolName } from '../../shared/tool-name.ts';
import { isPlaceholder, type Placeholder, placeholdersIn, withArguments } from './placeholders.ts';

/** Timeout of one request, in milliseconds. */
const timeoutMs = 60_000;
const maxResponseBytes = 10 * 1024 * 1024;
const parts = ['Query', 'Headers', 'Body'] as const;
type Part = (typeof parts)[number];

export function supplyHttpTool(context: ExecuteContext, itemIndex: number): Tool {
  const placeholders = placeholdersOf(context, itemIndex);
  const name = textParameter(context, 'name', itemIndex);
  return {
    name: toolName(name === '' ? context.node.name : name),
    description: textParameter(context, 'toolDescription', itemIndex),
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(placeholders.map(({ name: key, schema }) => [key, schema])),
      required: placeholders.filter(({ isRequired }) => isRequired).map(({ name: key }) => key),
    },
    run: (input, signal) => send(context, itemIndex, isJsonObject(input) ? input : {}, signal),
  };
}

async function send(context: ExecuteContext, itemIndex: number, input: JsonObject, signal: AbortSignal): Promise<JsonValue> {
  const authentication = await authenticationOf(context, itemIndex);
  const request: HttpRequest = {
    ...requestOf(context, itemIndex, input),
    timeoutMs,
    maxRedirects: 10,
    maxResponseBytes,
    ...(authentication && { authentication }),
  };
  const { status, headers, body } = await context.http.request(request, signal);
  const text = new TextDecoder().decode(body);
  if (status >= 400)
    throw new NodeApiError(`the service responded with status ${status}: ${text.slice(0, 500)}`, { itemIndex });
  const type = optimizedType(context, itemIndex);
  if (type) return optimizedResponse(context, itemIndex, text, type);
  return coercedText(headers['content-type']).includes('json') ? jsonOrText(text) : text;
}

async function jsonOrText(text: string): Promise<JsonValue> {
  try {
    return (await parseJson(text)) as JsonValue;
  } catch {
    return text;
  }
}

function requestOf(context: ExecuteContext, itemIndex: number, input: JsonObject): HttpRequest {
  const template = requiredText(context, 'url', itemIndex);
  // The model writes the whole URL if the author allows it.
  const encode = isPlaceholder(template) ? textOf : (value: JsonValue) => encodeURIComponent(textOf(value));
  const url = withArguments(template, input, encode).trim();
  if (url !== template) assertPlainPath(url, itemIndex);
  const query = partOf(context, itemIndex, 'Query', input);
  const headers = partOf(context, itemIndex, 'Headers', input);
  const body = partOf(context, itemIndex, 'Body', input);
  return {
    method: textParameter(context, 'method', itemIndex, 'GET'),
    url:
      isJsonObject(query) && Object.keys(query).length > 0 ? `${url}${url.includes('?') ? '&' : '?'}${queryText(query)}` : url,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...Object.fromEntries(Object.entries(isJsonObject(headers) ? headers : {}).map(([name, value]) => [name, textOf(value)])),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

function queryText(query: JsonObject): string {
  return encodeQuery(Object.entries(query).map(([name, value]) => [name, textOf(value)]));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The query, the headers, or the body; `undefined` if the request has none. */
function partOf(context: ExecuteContext, itemIndex: number, part: Part, input: JsonObject): JsonValue | undefined {
  if (!booleanParameter(context, `send${part}`, itemIndex, false)) return undefined;
  const way = textParameter(context, `specify${part}`, itemIndex, 'keypair');
  if (way === 'model') return ownProperty(input, part.toLowerCase()) ?? {};
  if (way === 'keypair') return pairsOf(context, itemIndex, part, input);
  const json = withArguments(textParameter(context, `json${part}`, itemIndex), input, (value) =>
    typeof value === 'string' ? JSON.stringify(value).slice(1, -1) : textOf(value),
  );
  try {
    return JSON.parse(json) as JsonValue;
  } catch (cause) {
    throw new NodeOperationError(`the JSON of the ${part.toLowerCase()} is not valid with these arguments`, {
      itemIndex,
      cause,
    });
  }
}

function pairsOf(context: ExecuteContext, itemIndex: number, part: Part, input: JsonObject): JsonObject {
  const pairs = listParameter(context, `parameters${part}.values`, itemIndex).map(({ name, valueProvider, value }) => {
    const key = coercedText(name);
    if (valueProvider !== 'fieldValue') return [key, ownProperty(input, key)] as const;
    return [key, withArguments(textOf(value ?? ''), input, textOf)] as const;
  });
  return Object.fromEntries(pairs.filter((pair): pair is readonly [string, JsonValue] => pair[1] !== undefined));
}

async function authenticationOf(context: ExecuteContext, itemIndex: number): Promise<HttpAuthentication | undefined> {
  const way = textParameter(context, 'authentication', itemIndex, 'none');
  if (way === 'none') return undefined;
  const parameter = way === 'genericCredentialType' ? 'genericAuthType' : 'nodeCredentialType';
  return context.authentication(requiredText(context, parameter, itemIndex), itemIndex);
}

/** The model's arguments: placeholders in strings, and fields that the model writes. */
function placeholdersOf(context: ExecuteContext, itemIndex: number): Placeholder[] {
  const defined = listParameter(context, 'placeholderDefinitions.values', itemIndex);
  const sent = parts.filter((part) => booleanParameter(context, `send${part}`, itemIndex, false));
  const written = sent.map((part) => writtenIn(context, itemIndex, part));
  const texts = [textParameter(context, 'url', itemIndex), ...written.flatMap((one) => one.texts)];
  return placeholdersIn(
    texts,
    written.flatMap((one) => one.placeholders),
    defined,
  );
}

/** Strings in a part of the request, and its fields that the model writes. */
function writtenIn(context: ExecuteContext, itemIndex: number, part: Part): { texts: string[]; placeholders: Placeholder[] } {
  const way = textParameter(context, `specify${part}`, itemIndex, 'keypair');
  if (way === 'json') return { texts: [textParameter(context, `json${part}`, itemIndex)], placeholders: [] };
  if (way === 'model')
    return { texts: [], placeholders: [{ name: part.toLowerCase(), schema: { type: 'object' }, isRequired: true }] };
  const pairs = listParameter(context, `parameters${part}.values`, itemIndex);
  const fixed = pairs.filter(({ valueProvider }) => valueProvider === 'fieldValue');
  const open = pairs.filter(({ valueProvider }) => valueProvider !== 'fieldValue');
  return {
    texts: fixed.map(({ value }) => textOf(value ?? '')),
    placeholders: open.map(({ name, valueProvider }) => ({
      name: coercedText(name),
      schema: { type: 'string' },
      isRequired: valueProvider !== 'modelOptional',
    })),
  };
}
