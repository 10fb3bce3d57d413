import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { type FakeRun, memoryBinary, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './mistral-ai.example.ts';
import { mistralAi } from './mistral-ai.ts';
import { mistralAiServer } from './testing/mistral-ai-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await mistralAiServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(mistralAi, { parameters, http: server.http, credentials: { mistralCloudApi: { apiKey: 'k1' } }, ...more });
const sent = () => server.received.map(({ method, url }) => `${method} ${url.replace('/v1', '')}`);
const lastBody = () => JSON.parse(server.received.findLast(({ url }) => url === '/v1/ocr')?.body.toString() ?? 'null');

async function withFile(): Promise<FakeRun> {
  const binary = memoryBinary();
  const data = await binary.store(Buffer.from('%PDF'), { fileName: 'a.pdf' });
  return { binary, inputs: [[{ json: {}, binary: { data } }]] };
}

test('the example', async () => {
  expect(await run(example.parameters)).toEqual(example.outputs?.[0]);
  expect(lastBody()).toEqual({
    model: 'mistral-ocr-latest',
    document: { type: 'document_url', document_url: 'https://example.com/report.pdf' },
  });
});

test('a file is uploaded, read, and deleted', async () => {
  expect(await run({}, await withFile())).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual(['POST /files', 'GET /files/f1/url?expiry=1', 'POST /ocr', 'DELETE /files/f1']);
});

test('a file is kept if the author says so', async () => {
  await run({ documentType: 'image_url', options: { deleteFiles: false } }, await withFile());
  expect(sent().at(-1)).toBe('POST /ocr');
  expect(lastBody().document).toEqual({ type: 'image_url', image_url: 'https://files.example/f1' });
});

test('a file that cannot be read is deleted', async () => {
  server.on('POST /v1/ocr', () => ({ status: 422, json: { detail: [{ msg: 'not a PDF' }] } }));
  await expect(run({}, await withFile())).rejects.toThrow('Mistral AI: [{"msg":"not a PDF"}] (422)');
  expect(sent().at(-1)).toBe('DELETE /files/f1');
});

test('the error of a file is kept if the file cannot be deleted either', async () => {
  server.on('POST /v1/ocr', () => ({ status: 422, json: { message: 'not a PDF' } }));
  server.on('DELETE /v1/files/:id', () => ({ status: 500, json: { message: 'broken' } }));
  await expect(run({}, await withFile())).rejects.toThrow('Mistral AI: not a PDF (422)');
  expect(sent().at(-1)).toBe('DELETE /files/f1');
});

test('a file that cannot be deleted is an error', async () => {
  server.on('DELETE /v1/files/:id', () => ({ status: 500, json: { message: 'broken' } }));
  await expect(run({}, await withFile())).rejects.toThrow('Mistral AI: broken (500)');
});

test('a failed item does not affect the others', async () => {
  server.on('POST /v1/ocr', ({ count }) => (count === 1 ? { status: 400, json: { message: 'bad' } } : { json: { pages: [] } }));
  expect(await run(example.parameters, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'Mistral AI: bad (400)' },
    { pages: [] },
  ]);
});

test('an address is required', async () => {
  await expect(run({ inputType: 'url' })).rejects.toThrow('the parameter "url" is required');
  expect(server.received).toEqual([]);
});
