import { isJsonObject, type JsonObject } from '@sluice/node-sdk';
import { geminiFormat } from './gemini-format.ts';
import type { ReceivedRequest, ServerAnswer, WireFormat } from './provider-server.ts';

const json = (value: object, headers: Record<string, string> = {}): ServerAnswer => ({
  status: 200,
  headers,
  body: JSON.stringify(value),
});
const image = { mimeType: 'image/png', data: Buffer.from('an image').toString('base64') };

/**
 * Content, images, and files, written from https://ai.google.dev/api. Responses in the server's
 * list are used for content without images. A file is ready when its state is requested.
 */
export function geminiApi(origin: () => string): WireFormat {
  return {
    ...geminiFormat,
    problem: (request) => answerOf(request, origin()),
    get: (path) =>
      path === '/v1beta/files/1' ? { ...file, state: 'ACTIVE' } : (operationAt(path, origin()) ?? geminiFormat.get?.(path)),
  };
}

function answerOf(request: ReceivedRequest, origin: string): ServerAnswer | undefined {
  const { path, headers } = request;
  if (path === '/v1beta/files/v1:download?alt=media')
    return { status: 302, headers: { location: `${origin}/video.mp4` }, body: '' };
  if (path === '/video.mp4') return { status: 200, headers: { 'content-type': 'video/mp4' }, body: 'a film' };
  if (path === '/file.txt') return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'remote' };
  if (headers['x-goog-api-key'] !== 'key-1') return geminiFormat.problem(request);
  return path.startsWith('/upload/') ? uploadAnswer(request, origin) : contentAnswer(request);
}

function uploadAnswer({ path, headers, body }: ReceivedRequest, origin: string): ServerAnswer {
  if (path === '/upload/v1beta/files') return started(headers, origin);
  const isComplete = headers['x-goog-upload-command'] === 'upload, finalize' && headers['x-goog-upload-offset'] === '0';
  return isComplete ? json({ file: { ...file, state: 'PROCESSING', displayName: body['text'] } }) : { status: 400 };
}

function contentAnswer(request: ReceivedRequest): ServerAnswer | undefined {
  const { path, method, body } = request;
  if (method === 'POST' && path.endsWith(':predictLongRunning')) return operationStart(body);
  if (method === 'POST' && path.endsWith(':predict')) return json({ predictions: predicted(body) });
  const problem = geminiFormat.problem(request);
  if (problem || !asksForImages(body)) return problem;
  const parts = [{ text: 'Here:' }, { inlineData: image }];
  return json({ candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }] });
}

const file = { name: 'files/1', uri: 'https://generativelanguage.googleapis.com/v1beta/files/1', mimeType: 'video/mp4' };

function started(headers: Record<string, unknown>, origin: string): ServerAnswer {
  const isValid = headers['x-goog-upload-protocol'] === 'resumable' && headers['x-goog-upload-command'] === 'start';
  return isValid ? json({}, { 'x-goog-upload-url': `${origin}/upload/1` }) : { status: 400 };
}

/** An operation that the prompt names. */
function operationStart({ instances }: JsonObject): ServerAnswer {
  const [instance] = Array.isArray(instances) ? instances : [];
  const prompt = isJsonObject(instance) ? instance['prompt'] : undefined;
  if (typeof prompt !== 'string') return { status: 400 };
  return json({ name: `models/veo-3.0-generate-001/operations/${prompt}` });
}

function operationAt(path: string, origin: string): object | undefined {
  const name = /\/operations\/(\w+)$/.exec(path)?.[1];
  if (name === undefined) return undefined;
  if (name === 'failing') return { name, done: true, error: { code: 3, message: 'too long' } };
  if (name === 'refused')
    return { name, done: true, response: { generateVideoResponse: { raiMediaFilteredReasons: ['it shows a person'] } } };
  const generatedSamples = [{ video: { uri: `${origin}/v1beta/files/v1:download?alt=media` } }];
  return { name, done: true, response: { generateVideoResponse: { generatedSamples } } };
}

function predicted({ parameters }: JsonObject): object[] {
  const count = isJsonObject(parameters) ? Number(parameters['sampleCount'] ?? 1) : 1;
  return Array.from({ length: count }, () => ({ mimeType: 'image/png', bytesBase64Encoded: image.data }));
}

function asksForImages({ generationConfig }: JsonObject): boolean {
  return isJsonObject(generationConfig) && Array.isArray(generationConfig['responseModalities']);
}
