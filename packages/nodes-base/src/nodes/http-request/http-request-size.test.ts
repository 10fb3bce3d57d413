import { expect, test } from '@jest/globals';
import type { HttpRequest } from '@sluice/node-sdk';
import { type FakeRun, runNode } from '../../testing/fake-context.ts';
import { memoryBinary } from '../../testing/memory-binary.ts';
import { httpRequest } from './http-request.ts';

const mebibyte = 1024 * 1024;

/** A run for `count` items, each with a text response of `size` bytes. */
function runFor(count: number, size: number, more: Partial<FakeRun> = {}): { run: FakeRun; sent: string[] } {
  const body = Buffer.alloc(size, 'a');
  const sent: string[] = [];
  const request = async ({ url }: HttpRequest) => {
    sent.push(url);
    return { status: 200, statusText: 'OK', headers: { 'content-type': 'text/plain' }, body, url };
  };
  const json = Array.from({ length: count }, () => ({}));
  const batching = { batch: { batchSize: 1, batchInterval: 0 } };
  const run = { http: { request }, json, parameters: { url: 'http://host.test/', options: { batching } }, ...more };
  return { run, sent };
}

test.each([false, true])('responses that together exceed 64 MiB end the node (continueOnFail: %s)', async (continueOnFail) => {
  const { run, sent } = runFor(6, 20 * mebibyte, { continueOnFail });
  await expect(runNode(httpRequest, run)).rejects.toMatchObject({ code: 'RESULT_TOO_LARGE' });
  expect(sent).toHaveLength(4);
});

test('files do not count toward the limit of all responses', async () => {
  const binary = memoryBinary();
  const store: typeof binary.store = (_, hints) => binary.store(Buffer.alloc(0), hints);
  const { run } = runFor(4, 20 * mebibyte, { binary: { ...binary, store } });
  const options = { response: { response: { responseFormat: 'file' } } };
  const [items = []] = await runNode(httpRequest, { ...run, parameters: { url: 'http://host.test/', options } });
  expect(items).toHaveLength(4);
});

test('a response with millions of empty lists is not parsed', async () => {
  const body = Buffer.from(`[${'[],'.repeat(2_000_000)}[]]`);
  const request = async ({ url }: HttpRequest) => ({
    status: 200,
    statusText: 'OK',
    headers: { 'content-type': 'application/json' },
    body,
    url,
  });
  const reading = runNode(httpRequest, { http: { request }, json: [{}], parameters: { url: 'http://host.test/' } });
  await expect(reading).rejects.toThrow('the response contains more than 2000000 lists and objects');
});
