import { type BinaryReference, type ExecuteContext, isJsonObject, type JsonObject, ModelError } from '@sluice/node-sdk';
import { pause, stringOf } from '@sluice/nodes-base/node-tools';
import { geminiAddress } from '../../shared/gemini.ts';
import { callForObject, callProvider } from '../../shared/provider-call.ts';
import { geminiCredential } from './call-gemini.ts';

const pauseMs = 2_000;
/** Longest wait for Google to process a file. */
const maxWaitMs = 600_000;

/**
 * Uploads a file of the item, and waits until models can read it. https://ai.google.dev/api/files
 */
export async function uploadMedia(context: ExecuteContext, itemIndex: number, file: BinaryReference): Promise<JsonObject> {
  const address = geminiAddress(await context.credentials(geminiCredential, itemIndex));
  const url = await startUpload(context, itemIndex, address, file);
  const sent = await callForObject(context, itemIndex, {
    credential: geminiCredential,
    url,
    headers: { 'x-goog-upload-offset': '0', 'x-goog-upload-command': 'upload, finalize' },
    file,
  });
  let state = fileIn(sent);
  for (let waited = 0; state['state'] === 'PROCESSING'; waited += pauseMs) {
    if (waited >= maxWaitMs) throw new ModelError('timeout', 'Google did not process the file in time');
    await pause(pauseMs, context.signal);
    state = await callForObject(context, itemIndex, {
      credential: geminiCredential,
      method: 'GET',
      url: `${address}/files/${encodeURIComponent(stringOf(state['name']).replace(/^files\//, ''))}`,
    });
  }
  if (state['state'] === 'FAILED') throw new ModelError('invalidRequest', 'Google cannot read the file');
  return state;
}

async function startUpload(
  context: ExecuteContext,
  itemIndex: number,
  address: string,
  { fileName = 'file', fileSize, mimeType }: BinaryReference,
): Promise<string> {
  const { headers } = await callProvider(context, itemIndex, {
    credential: geminiCredential,
    url: address.replace(/\/v1beta$/, '/upload/v1beta/files'),
    headers: {
      'x-goog-upload-protocol': 'resumable',
      'x-goog-upload-command': 'start',
      'x-goog-upload-header-content-type': mimeType,
      ...(fileSize !== undefined && { 'x-goog-upload-header-content-length': stringOf(fileSize) }),
    },
    json: { file: { displayName: fileName } },
  });
  const url = headers['x-goog-upload-url'];
  if (typeof url === 'string' && url !== '') return url;
  throw new ModelError('invalidResponse', 'the provider response has no upload URL');
}

function fileIn({ file }: JsonObject): JsonObject {
  if (isJsonObject(file)) return file;
  throw new ModelError('invalidResponse', 'the provider response has no file');
}
