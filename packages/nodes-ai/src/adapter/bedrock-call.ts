import { isJsonObject, type JsonObject, type JsonValue, ModelError, parseJson } from '@sluice/node-sdk';
import { boundedResponse } from './bounded-answer.ts';
import { statusError } from './status-error.ts';

/** How to reach the Amazon Bedrock models in a region. */
export interface BedrockAccess {
  /** `https://bedrock-runtime.<region>.amazonaws.com` */
  address: string;
  modelId: string;
  /** Signs the request. */
  fetch: typeof globalThis.fetch;
  maxRetries: number;
}

/** The model failed while it answered: a retry may succeed. */
const modelFailed = 424;

/**
 * Calls a model; `operation` is the last part of the path. Throws `ModelError` for an error status.
 */
export async function callBedrock(
  { address, modelId, fetch: send }: BedrockAccess,
  operation: string,
  body: JsonObject,
  signal: AbortSignal,
): Promise<Response> {
  const url = `${address}/model/${encodeURIComponent(modelId)}/${operation}`;
  const headers = { 'content-type': 'application/json', accept: '*/*' };
  const response = await send(url, { method: 'POST', headers, body: JSON.stringify(body), signal });
  if (response.ok) return response;
  const { status, statusText: message } = response;
  const error = await errorOf(response);
  const answer = { headers: Object.fromEntries(response.headers), error, message };
  throw statusError({ ...answer, status: status === modelFailed ? 503 : status }, undefined);
}

/**
 * Some AWS services write `Message`. The type may contain a namespace or a URL: `Name:http://…`.
 */
async function errorOf(response: Response): Promise<JsonObject> {
  const type = response.headers.get('x-amzn-ErrorType')?.split(':', 1)[0] ?? '';
  const body = await objectIn(await boundedResponse(response).text()).catch((): JsonObject => ({}));
  const message = body['message'] ?? body['Message'];
  return { ...(type !== '' && { code: type }), ...(typeof message === 'string' && { message }) };
}

/** Throws unless the text is a JSON object. */
export async function objectIn(text: string): Promise<JsonObject> {
  let value: JsonValue;
  try {
    value = (await parseJson(text)) as JsonValue;
  } catch (cause) {
    throw new ModelError('invalidResponse', 'Invalid JSON response', { cause });
  }
  if (isJsonObject(value)) return value;
  throw new ModelError('invalidResponse', 'Invalid JSON response');
}
