import { isJsonObject, type JsonObject } from '@sluice/node-sdk';
import type { ModelAnswer, ReceivedRequest, ServerAnswer, WireFormat } from './provider-server.ts';

interface Access {
  /** Path of the models. */
  models: string;
  header: string;
  key: string;
}

const ofGemini: Access = { models: '/v1beta/models', header: 'x-goog-api-key', key: 'key-1' };

/** Content generation, written from https://ai.google.dev/api/generate-content */
export const geminiFormat: WireFormat = {
  problem: (request) => problemOf(request, ofGemini),
  isStream: ({ path }) => path.includes(':streamGenerateContent'),
  completion: (answer) => ({ ...responseOf(partsOf(answer), reasonOf(answer)), usageMetadata }),
  stream: (answer) => eventsOf(answer).map(line).join(''),
  failingStream: (text) =>
    [...eventsOf({ text }).slice(0, text.length), error(503, 'The model is overloaded.')].map(line).join(''),
  error,
  get: (path) =>
    path.startsWith('/v1beta/models')
      ? {
          models: [
            { name: 'models/gemini-b', supportedGenerationMethods: ['generateContent', 'countTokens'], description: 'B' },
            { name: 'models/gemini-a', supportedGenerationMethods: ['generateContent'] },
            { name: 'models/embedding-c', supportedGenerationMethods: ['embedContent'] },
          ],
        }
      : undefined,
};

const modelsOfVertex = '/v1/projects/my-project/locations/us-central1/publishers/google/models';
/** A credential of the server. */
export const vertexCredential: JsonObject = { region: 'us-central1', oauthTokenData: { access_token: 'key-1' } };
export const vertexOrigin = 'https://us-central1-aiplatform.googleapis.com';

/** https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference */
export const vertexFormat: WireFormat = {
  ...geminiFormat,
  problem: (request) => vertexProblem(request),
  get: (path) =>
    path.startsWith('/v1beta1/publishers/google/models?')
      ? {
          publisherModels: ['gemini-b', 'gemini-a', 'gemini-embedding-c', 'imagen-d'].map((name) => ({
            name: `publishers/google/models/${name}`,
          })),
        }
      : undefined,
};

/** Calls and their results have no IDs there. */
function vertexProblem(request: ReceivedRequest): ServerAnswer | undefined {
  if (request.headers['x-goog-api-key'] !== undefined) return refusal(401, 'API keys are not supported by this API.');
  const parts = JSON.stringify(request.body['contents'] ?? []);
  if (/"function(?:Call|Response)":\{[^{}]*"id":/.test(parts)) return refusal(400, 'Unknown name "id"');
  return problemOf(request, { models: modelsOfVertex, header: 'authorization', key: 'Bearer key-1' });
}

const statuses: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

function error(status: number, message: string): object {
  return { error: { code: status, message, status: statuses[status] ?? 'UNKNOWN' } };
}

const refusal = (status: number, message: string): ServerAnswer => ({ status, body: JSON.stringify(error(status, message)) });
const model = /^\/[\w.-]+:(?:generateContent|streamGenerateContent\?alt=sse)$/;

function problemOf(
  { method, path, headers, body }: ReceivedRequest,
  { models, header, key }: Access,
): ServerAnswer | undefined {
  const isFound = path.startsWith(models) && model.test(path.slice(models.length));
  if (method !== 'POST' || !isFound) return refusal(404, 'not found');
  if (headers[header] !== key) return refusal(400, 'API key not valid. Please pass a valid API key.');
  const contents = body['contents'];
  if (!Array.isArray(contents) || contents.length === 0) return refusal(400, 'contents is not specified');
  return problemOfContents(contents as JsonObject[]);
}

function problemOfContents(contents: readonly JsonObject[]): ServerAnswer | undefined {
  for (const [index, { role, parts }] of contents.entries()) {
    if (role !== 'user' && role !== 'model') return refusal(400, 'Please use a valid role: user, model.');
    if (!Array.isArray(parts) || parts.length === 0) return refusal(400, `contents.parts must not be empty.`);
    const args = parts.flatMap((part) =>
      isJsonObject(part) && isJsonObject(part['functionCall']) ? [part['functionCall']['args']] : [],
    );
    if (!args.every((one) => isJsonObject(one))) return refusal(400, 'Invalid value at contents.parts.function_call.args');
    const calls = countOf(parts, 'functionCall');
    if (calls > 0 && countOf(contents[index + 1]?.['parts'], 'functionResponse') !== calls)
      return refusal(400, 'the number of function response parts must equal that of function call parts');
  }
  return undefined;
}

const countOf = (parts: unknown, member: string) =>
  Array.isArray(parts) ? parts.filter((part) => isJsonObject(part) && member in part).length : 0;

const usageMetadata = { promptTokenCount: 11, candidatesTokenCount: 7, totalTokenCount: 18 };

function partsOf(answer: ModelAnswer): object[] {
  const text = 'text' in answer && answer.text !== undefined ? [{ text: answer.text }] : [];
  const calls = 'calls' in answer ? answer.calls : [];
  return [...text, ...calls.map(({ name, input, id }) => ({ functionCall: { name, args: input, ...(id && { id }) } }))];
}

const reasonOf = (answer: ModelAnswer) => ('filtered' in answer ? 'SAFETY' : 'STOP');

function responseOf(parts: object[], finishReason?: string): object {
  const candidate = { content: { role: 'model', parts }, index: 0, ...(finishReason && { finishReason }) };
  return { candidates: [candidate], modelVersion: 'gemini-2.5-flash', responseId: 'r1' };
}

/** Text by character, each call in its own response. */
function eventsOf(answer: ModelAnswer): object[] {
  const texts = [...('text' in answer ? (answer.text ?? '') : '')].map((text) => responseOf([{ text }]));
  const calls = partsOf(answer).filter((part) => 'functionCall' in part);
  return [...texts, ...calls.map((call) => responseOf([call])), { ...responseOf([], reasonOf(answer)), usageMetadata }];
}

const line = (event: object) => `data: ${JSON.stringify(event)}\r\n\r\n`;
