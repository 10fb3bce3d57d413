import { headerText, isAppError, type JsonObject, type JsonValue, NodeOperationError } from '@sluice/node-sdk';
import { pause } from '@sluice/nodes-base/node-tools';
import type { ApiAccess, ApiClient, ApiRequest, ApiResponse } from './api-client.ts';
import { type Chunk, chunksOf } from './chunks.ts';
import { asText, objectOf } from './json-values.ts';

/**
 * Consecutive attempts of a chunk that store nothing, and the pause after the second one; it
 * doubles.
 */
const maxFailures = 5;
const pauseMs = 1_000;

const incomplete = 308;
const serverErrors = [500, 502, 503, 504];

/** Content to upload. */
export interface UploadedContent {
  mimeType: string;
  byteLength?: number | undefined;
  bytes: AsyncIterable<Uint8Array>;
}

interface Session {
  client: ApiClient;
  access: ApiAccess;
  path: string;
}

/**
 * Uploads a file in chunks. A lost chunk is sent again from the first byte that Google has not
 * received (https://developers.google.com/workspace/drive/api/guides/manage-uploads#resumable).
 *
 * @param start the request that creates the resource, without `uploadType`
 */
export async function resumableUpload(
  client: ApiClient,
  access: ApiAccess,
  start: ApiRequest,
  { mimeType, byteLength, bytes }: UploadedContent,
): Promise<JsonObject> {
  const { headers } = await client.exchange(access, {
    ...start,
    query: { ...start.query, uploadType: 'resumable' },
    headers: {
      'x-upload-content-type': mimeType,
      ...(byteLength !== undefined && { 'x-upload-content-length': asText(byteLength) }),
    },
  });
  const path = headerText(headers, 'location');
  if (path === '') throw withoutSession(access);
  const session = { client, access, path };
  let uploaded: JsonValue | undefined;
  for await (const chunk of chunksOf(bytes)) uploaded = await sendChunk(session, chunk);
  return objectOf(uploaded);
}

/** Resolves to the resource after the last chunk. */
async function sendChunk(session: Session, chunk: Chunk): Promise<JsonValue | undefined> {
  const end = chunk.start + chunk.bytes.length;
  let [from, failures] = [chunk.start, 0];
  while (from < end || chunk.isLast) {
    const isFinal = failures === maxFailures - 1;
    const response =
      (await attempted(session, sentFrom(chunk, from), isFinal)) ?? (await attempted(session, statusRequest(), isFinal));
    if (response && response.status !== incomplete) return response.body;
    const received = response ? receivedBytes(response) : from;
    failures = received > from ? 0 : failures + 1;
    if (received < chunk.start || failures === maxFailures) throw interrupted(session.access);
    from = received;
    if (failures > 1) await pause(pauseMs * 2 ** (failures - 2), session.access.signal);
  }
  return undefined;
}

/** `undefined` if the request or its response was lost. The final attempt throws instead. */
async function attempted(session: Session, request: Partial<ApiRequest>, isFinal: boolean): Promise<ApiResponse | undefined> {
  const { client, access, path } = session;
  const accepts = isFinal ? [incomplete] : [incomplete, ...serverErrors];
  try {
    const response = await client.exchange(access, { method: 'PUT', path, accepts, ...request });
    return serverErrors.includes(response.status) ? undefined : response;
  } catch (error) {
    if (isFinal || !isAppError(error) || error.code !== 'HTTP_FAILED') throw error;
    return undefined;
  }
}

/** The rest of a chunk. Empty content has no range. */
function sentFrom({ bytes, start, isLast }: Chunk, from: number): Partial<ApiRequest> {
  const end = start + bytes.length;
  const range = `bytes ${end > from ? `${from}-${end - 1}` : '*'}/${isLast ? end : '*'}`;
  return {
    bytes: { body: bytes.subarray(from - start), contentType: 'application/octet-stream' },
    ...(end > 0 && { headers: { 'content-range': range } }),
  };
}

/** Queries how many bytes arrived. */
const statusRequest = (): Partial<ApiRequest> => ({ headers: { 'content-range': 'bytes */*' } });

/** `range: bytes=0-42` means that 43 bytes arrived; without the header, no bytes arrived. */
function receivedBytes({ headers }: ApiResponse): number {
  const [, last] = /^bytes=0-(\d{1,15})$/.exec(headerText(headers, 'range')) ?? [];
  return last === undefined ? 0 : Number(last) + 1;
}

function withoutSession({ itemIndex }: ApiAccess): NodeOperationError {
  const description = 'Try again; if it fails each time, check whether a proxy removes the header "location"';
  return new NodeOperationError('Google returned no upload URL', { itemIndex, description });
}

function interrupted({ itemIndex }: ApiAccess): NodeOperationError {
  const description = 'Try again: Google has not stored the bytes that were sent';
  return new NodeOperationError('the upload was interrupted', { itemIndex, description });
}
