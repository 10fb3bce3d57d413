import {
  type ExecuteContext,
  errorMessage,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  NodeOperationError,
  parseJson,
  stringifyJson,
} from '@sluice/node-sdk';
import { assertPlainPath, itemError } from '@sluice/nodes-base/node-tools';

export interface ServiceCall {
  /** Name of the service, for errors. */
  service: string;
  /** Type of the credential; absent: the API needs none. */
  credential?: string;
  method?: 'DELETE' | 'GET' | 'POST' | 'PUT';
  url: string;
  headers?: Record<string, string>;
  json?: JsonValue;
  /** Whether the response is plain text; default: JSON. */
  isText?: boolean;
  /** Statuses besides 2xx that are not errors. */
  accepts?: readonly number[];
}

/** Maximum number of characters in a service's message. */
const maxMessage = 1_000;
const timeoutMs = 60_000;

/**
 * Calls a service API. Resolves to the JSON of the response, or its text; `null` if it contains no
 * JSON.
 */
export async function callService(context: ExecuteContext, itemIndex: number, call: ServiceCall): Promise<JsonValue> {
  const { service, credential, method = 'POST', url, headers, json, isText = false, accepts = [] } = call;
  assertPlainPath(url, itemIndex);
  const request = {
    method,
    url,
    headers: {
      accept: isText ? 'text/plain' : 'application/json',
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(json !== undefined && { body: await stringifyJson(json) }),
    timeoutMs,
    ...(credential !== undefined && { authentication: await context.authentication(credential, itemIndex) }),
  };
  const { status, body } = await context.http.request(request, context.signal).catch((error: unknown) => {
    context.signal.throwIfAborted();
    throw itemError(error, itemIndex);
  });
  const text = new TextDecoder().decode(body);
  if ((status >= 200 && status < 300) || accepts.includes(status)) return isText ? text : parsed(text, service, itemIndex);
  throw new NodeOperationError(`${service} refused the request with status ${status}: ${await messageIn(text)}`, {
    itemIndex,
    description: hintFor(status, service),
    details: { status },
  });
}

async function parsed(text: string, service: string, itemIndex: number): Promise<JsonValue> {
  if (text.trim() === '') return null;
  try {
    return (await parseJson(text)) as JsonValue;
  } catch (error) {
    throw new NodeOperationError(`the response from ${service} is not JSON: ${errorMessage(error)}`, {
      itemIndex,
      description: 'Check the address in the credential',
    });
  }
}

/** The message of an error response, in one of the usual members. */
async function messageIn(text: string): Promise<string> {
  let message: string | undefined;
  try {
    const body = (await parseJson(text)) as JsonValue;
    if (isJsonObject(body)) message = messageOf(body);
  } catch {
    // not JSON: the text itself
  }
  return (message ?? text).slice(0, maxMessage);
}

function messageOf(body: JsonObject): string | undefined {
  for (const value of [body, body['status'], body['error']]) {
    if (typeof value === 'string') return value;
    const message = isJsonObject(value) ? (value['message'] ?? value['error']) : undefined;
    if (typeof message === 'string') return message;
  }
  return undefined;
}

function hintFor(status: number, service: string): string {
  if (status === 401 || status === 403) return 'Check the credential, and what its key may use';
  if (status === 404) return 'Check the name, and the address in the credential';
  if (status === 429) return 'Process fewer items at a time, or retry later';
  return status >= 500
    ? `${service} failed: try again`
    : 'Check the parameters, and that vectors have the length that the store expects';
}
