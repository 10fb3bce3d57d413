import {
  type BinaryReference,
  type ExecuteContext,
  errorMessage,
  type HttpBodyStream,
  type HttpResponse,
  isAppError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ModelCall,
  ModelError,
  parseJson,
  stringifyJson,
  type TokenUsage,
  usageIn,
} from '@sluice/node-sdk';
import { assertPlainPath, type FormPart, itemError, multipartBody } from '@sluice/nodes-base/node-tools';
import { retried } from '../adapter/retried.ts';
import { errorIn, statusError } from '../adapter/status-error.ts';

/** A request to a provider API. */
export interface ProviderCall {
  /** Type of the credential. */
  credential: string;
  method?: 'DELETE' | 'GET' | 'POST';
  url: string;
  headers?: Record<string, string>;
  json?: JsonValue;
  /** Fields and files; sent as a form. */
  form?: readonly FormPart[];
  /** The body itself. */
  file?: BinaryReference;
  /** Default: none. */
  maxRedirects?: number;
  /** The model; if set, the call counts toward the execution limits. */
  model?: string;
  /**
   * Whether the call is recorded, so that it is not repeated after a crash or a wait: for nodes
   * with tools, and costly calls.
   */
  recorded?: boolean;
}

/** Longest wait for a response: images take minutes. */
const timeoutMs = 300_000;
/** Number of retries after a transient error. */
const maxRetries = 2;

/**
 * Calls a provider API. Transient errors are retried; see `ModelError`. A timeout is not retried,
 * since its call may cost money.
 */
export function callProvider(context: ExecuteContext, itemIndex: number, call: ProviderCall): Promise<HttpResponse> {
  return counted(
    context,
    { model: call.model },
    () => ({}),
    () => sent(context, itemIndex, call),
  );
}

const sent = (context: ExecuteContext, itemIndex: number, call: ProviderCall) =>
  retried(maxRetries, context.signal, () => callOnce(context, itemIndex, call));

function counted<T>(
  context: ExecuteContext,
  { model, record }: { model: string | undefined; record?: ModelCall<T>['record'] },
  usageOf: (answer: T) => TokenUsage,
  send: () => Promise<T>,
): Promise<T> {
  return model === undefined || !context.modelCall ? send() : context.modelCall({ model, record, usageOf, send });
}

/** Like `callProvider`; resolves to the object in the response. */
export async function callForObject(context: ExecuteContext, itemIndex: number, call: ProviderCall): Promise<JsonObject> {
  const { model, recorded = false, json = null } = call;
  const record = recorded ? { itemIndex, request: json } : undefined;
  return counted(context, { model, record }, usageIn, async () => objectIn(await sent(context, itemIndex, call)));
}

async function objectIn({ body }: HttpResponse): Promise<JsonObject> {
  let value: JsonValue;
  try {
    value = (await parseJson(new TextDecoder().decode(body))) as JsonValue;
  } catch (error) {
    throw new ModelError('invalidResponse', `the provider response is not JSON: ${errorMessage(error)}`);
  }
  if (isJsonObject(value)) return value;
  throw new ModelError('invalidResponse', 'the provider response is not a JSON object');
}

async function callOnce(context: ExecuteContext, itemIndex: number, call: ProviderCall): Promise<HttpResponse> {
  const { credential, method = 'POST', url, json, form, file } = call;
  assertPlainPath(url, itemIndex);
  const encoded = form && (await multipartBody(context.binary, form));
  const request = {
    method,
    url,
    headers: {
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...(encoded && { 'content-type': encoded.contentType }),
      ...call.headers,
    },
    ...(json !== undefined && { body: await stringifyJson(json) }),
    ...(encoded && { body: encoded.body }),
    ...(file && { body: fileBody(context, file) }),
    timeoutMs,
    ...(call.maxRedirects !== undefined && { maxRedirects: call.maxRedirects }),
    authentication: await context.authentication(credential, itemIndex),
  };
  const response = await context.http.request(request, context.signal).catch((error: unknown) => {
    context.signal.throwIfAborted();
    if (isAppError(error) && error.code === 'HTTP_FAILED') throw new ModelError('unavailable', error.message, { cause: error });
    throw itemError(error, itemIndex);
  });
  if (response.status >= 200 && response.status < 300) return response;
  throw await failed(response);
}

function fileBody({ binary }: ExecuteContext, file: BinaryReference): HttpBodyStream {
  const { fileSize } = file;
  return { open: () => binary.open(file), ...(fileSize !== undefined && { byteLength: fileSize }) };
}

async function failed({ status, headers, body, statusText }: HttpResponse): Promise<ModelError> {
  const text = new TextDecoder().decode(body);
  return statusError({ status, headers, error: await errorOf(text), message: text.slice(0, 1_000) || statusText }, undefined);
}

async function errorOf(text: string): Promise<JsonObject> {
  try {
    return errorIn(await parseJson(text));
  } catch {
    return {};
  }
}
