import {
  type ExecuteContext,
  type Item,
  isJsonObject,
  type JsonObject,
  ModelError,
  NodeOperationError,
} from '@sluice/node-sdk';
import { choiceParameter, pause, requiredText, stringOf, textParameter } from '@sluice/nodes-base/node-tools';
import { fileItem } from '../../shared/file-item.ts';
import { geminiAddress } from '../../shared/gemini.ts';
import { optionValues } from '../../shared/option-values.ts';
import { callForObject, callProvider } from '../../shared/provider-call.ts';
import { callGemini, geminiCredential, geminiModel } from './call-gemini.ts';

const pauseMs = 5_000;
/** Longest wait for Google to generate a video. */
const maxWaitMs = 1_200_000;
/** Maximum number of videos in one response. */
const maxVideos = 10;

/**
 * Videos from a prompt: a long-running operation that is polled until it is done.
 * https://ai.google.dev/gemini-api/docs/video
 */
export async function generateVideos(context: ExecuteContext, itemIndex: number): Promise<Item[]> {
  const model = geminiModel(context, itemIndex, 'models/veo-3.0-generate-001');
  const prompt = requiredText(context, 'prompt', itemIndex);
  const parameters = optionValues(context, itemIndex, {
    sampleCount: 'sampleCount',
    durationSeconds: 'durationSeconds',
    aspectRatio: 'aspectRatio',
    personGeneration: 'personGeneration',
  });
  const json = { instances: [{ prompt }], parameters };
  // Recorded, so that a run that resumes after a worker crash waits for the same video: generating
  // another is expensive.
  const started = await callGemini(context, itemIndex, model, 'predictLongRunning', json, true);
  const addresses = addressesIn(await finished(context, itemIndex, started));
  const asFiles = choiceParameter(context, 'returnAs', itemIndex, ['video', 'url'], 'video') === 'video';
  const items: Item[] = [];
  for (const url of addresses)
    items.push(asFiles ? await downloaded(context, itemIndex, url) : { json: { url }, pairedItem: { item: itemIndex } });
  return items;
}

/** A video that the API has generated. */
export function downloadVideo(context: ExecuteContext, itemIndex: number): Promise<Item> {
  return downloaded(context, itemIndex, requiredText(context, 'url', itemIndex));
}

/** The response of an operation, once it is done. */
async function finished(context: ExecuteContext, itemIndex: number, started: JsonObject): Promise<JsonObject> {
  const address = geminiAddress(await context.credentials(geminiCredential, itemIndex));
  const name = stringOf(started['name']);
  if (!/^[\w./-]{1,500}$/.test(name)) throw new ModelError('invalidResponse', 'the provider response names no operation');
  let operation = started;
  for (let waited = 0; operation['done'] !== true; waited += pauseMs) {
    if (waited >= maxWaitMs) throw new ModelError('timeout', 'Google did not generate the video in time');
    if (waited > 0) await pause(pauseMs, context.signal);
    operation = await callForObject(context, itemIndex, {
      credential: geminiCredential,
      method: 'GET',
      url: `${address}/${name}`,
    });
  }
  const { error, response } = operation;
  if (isJsonObject(error))
    throw new ModelError('invalidRequest', `Google generated no video: ${stringOf(error['message'] ?? 'no reason given')}`);
  return isJsonObject(response) ? response : {};
}

function addressesIn({ generateVideoResponse: result }: JsonObject): string[] {
  const { generatedSamples: samples, raiMediaFilteredReasons: reasons }: JsonObject = isJsonObject(result) ? result : {};
  const videos = Array.isArray(samples)
    ? samples.slice(0, maxVideos).map((one) => (isJsonObject(one) ? one['video'] : undefined))
    : [];
  const addresses = videos.flatMap((video) => (isJsonObject(video) && typeof video['uri'] === 'string' ? [video['uri']] : []));
  if (addresses.length > 0) return addresses;
  if (Array.isArray(reasons))
    throw new ModelError('refused', `Google generated no video: ${stringOf(reasons[0]).slice(0, 500)}`);
  throw new ModelError('invalidResponse', 'the provider response has no videos');
}

/** Only API URLs: the request carries the key. */
async function downloaded(context: ExecuteContext, itemIndex: number, url: string): Promise<Item> {
  const address = geminiAddress(await context.credentials(geminiCredential, itemIndex));
  if (!URL.canParse(url) || new URL(url).origin !== new URL(address).origin)
    throw new NodeOperationError('the URL is not a Gemini API URL', {
      itemIndex,
      description: 'Use a URL that "Generate a Video" returned, or read the file with HTTP Request',
    });
  const call = { credential: geminiCredential, method: 'GET', url, maxRedirects: 5 } as const;
  const { body } = await callProvider(context, itemIndex, call);
  const property = textParameter(context, 'options.binaryPropertyOutput', itemIndex, 'data') || 'data';
  return fileItem(context, itemIndex, { property, bytes: body, mimeType: 'video/mp4', fileName: 'video.mp4', json: { url } });
}
