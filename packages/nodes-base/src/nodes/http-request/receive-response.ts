import type {
  BinaryReference,
  ExecuteContext,
  HttpResponse,
  HttpStreamedResponse,
  JsonObject,
  JsonValue,
} from '@sluice/node-sdk';
import type { ByteBudget } from '../../shared/byte-budget.ts';
import { apiError } from '../../shared/http/api-error.ts';
import { decodeText, mediaType, readBytes, readStart } from '../../shared/http/body-text.ts';
import { parseJsonBody } from '../../shared/http/json-body.ts';
import { responseFileName } from '../../shared/http/response-file-name.ts';
import type { ResponseOptions } from './response-options.ts';

/** A response whose body has been read or stored. */
export interface ReceivedResponse extends Pick<HttpResponse, 'status' | 'statusText' | 'headers' | 'url'> {
  body: ReceivedBody;
}

type ReceivedBody =
  | { kind: 'json'; value: JsonValue }
  | { kind: 'text'; text: string }
  | { kind: 'file'; file: BinaryReference };

/** Maximum number of bytes of an error's response body in the details. */
const maxShownBodyBytes = 2_048;
const notJsonHint = 'Set the option "Response Format" to text to get the response as it is';

interface Receiver {
  context: Pick<ExecuteContext, 'binary'>;
  itemIndex: number;
  /** Counts JSON and text, not files. */
  budget: ByteBudget;
}

/** Reads a response: JSON and text as a whole; a file is streamed to the store. */
export async function receiveResponse(
  response: HttpStreamedResponse,
  method: string,
  { format }: ResponseOptions,
  { context, itemIndex, budget }: Receiver,
): Promise<ReceivedResponse> {
  const { status, statusText, headers, url } = response;
  const kind = format === 'autodetect' ? announced(response, method) : format;
  const body =
    kind === 'file'
      ? await storedFile(response, context.binary)
      : await receivedText({ ...response, body: metered(response.body, budget) }, kind, itemIndex);
  return { status, statusText, headers, url, body };
}

async function* metered(body: HttpStreamedResponse['body'], budget: ByteBudget): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    budget.spend(chunk.length);
    yield chunk;
  }
}

type Announced = 'json' | 'text' | 'file' | 'unknown';

async function receivedText(
  response: HttpStreamedResponse,
  kind: Exclude<Announced, 'file'>,
  itemIndex: number,
): Promise<ReceivedBody> {
  const text = decodeText(await readBytes(response), response.headers);
  if (kind === 'text' || text === '') return { kind: 'text', text };
  if (kind === 'unknown' && !/^\s*[[{]/.test(text)) return { kind: 'text', text };
  return { kind: 'json', value: text.trim() === '' ? null : await parseJsonBody(text, itemIndex, notJsonHint) };
}

/** Types that are files even if their content is text, such as SVG images. */
const media = /^(image|audio|video|font)\//;
const textual =
  /^(text|message|multipart)\/|^application\/((x-)?javascript|ecmascript|x-www-form-urlencoded|(x-)?yaml|x-ndjson|jsonl|graphql|sql|toml|x-sh|xml)$|\+(xml|yaml)$/;

/** By the content type. */
function announced({ status, headers }: HttpStreamedResponse, method: string): Announced {
  const type = mediaType(headers);
  const bodyless = method === 'HEAD' || status === 204 || status === 304 || headers['content-length'] === '0';
  if (type === '') return 'unknown';
  if (bodyless) return 'text';
  if (/[/+]json$/.test(type)) return 'json';
  return textual.test(type) && !media.test(type) ? 'text' : 'file';
}

async function storedFile(response: HttpStreamedResponse, binary: ExecuteContext['binary']): Promise<ReceivedBody> {
  const fileName = responseFileName(response);
  const mimeType = mediaType(response.headers);
  const file = await binary.store(response.body, { ...(fileName && { fileName }), ...(mimeType && { mimeType }) });
  return { kind: 'file', file };
}

/** Reads the beginning of the response to a request for `url`, and throws it as an error. */
export async function refuseResponse(response: HttpStreamedResponse, url: string, itemIndex: number): Promise<never> {
  const { status, statusText, headers } = response;
  const { bytes, truncated } = await readStart(response.body, maxShownBodyBytes);
  const [requestedOrigin, origin] = [url, response.url].map((text) => URL.parse(text)?.origin);
  const redirectedTo = origin === requestedOrigin ? undefined : origin;
  throw apiError({ status, statusText, text: decodeText(bytes, headers), truncated, redirectedTo }, itemIndex);
}

/** The response in expressions: `$response`. For a file, its description. */
export function shownResponse({ status, statusText, headers, body }: ReceivedResponse): JsonObject {
  return { body: bodyValue(body), headers: { ...headers }, statusCode: status, statusMessage: statusText };
}

export function bodyValue(body: ReceivedBody): JsonValue {
  if (body.kind === 'json') return body.value;
  return body.kind === 'text' ? body.text : { ...body.file };
}
