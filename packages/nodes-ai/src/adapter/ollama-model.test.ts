import { expect, test } from '@jest/globals';
import { OllamaModel } from './ollama-model.ts';

function modelThatSends(text: string, pieceLength: number): OllamaModel {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at + pieceLength));
      at += pieceLength;
    },
  });
  return new OllamaModel({ address: '', modelId: 'm', fetch: async () => new Response(body), body: {}, maxRetries: 0 });
}

async function textOf(model: OllamaModel): Promise<string> {
  let text = '';
  for await (const chunk of model.stream({ messages: [] }, new AbortController().signal))
    if (chunk.type === 'text') text += chunk.text;
  return text;
}

const line = (content: string, done: boolean) => `${JSON.stringify({ message: { content }, done })}\n`;

test.each([1, 3, 40, 10_000])('lines are assembled from chunks of %i bytes', async (pieceLength) => {
  expect(await textOf(modelThatSends(`${line('a', false)}\n${line('ü', false)}${line('c', true)}`, pieceLength))).toBe('aüc');
});

// Searching the whole line again with each piece takes longer than the limit of a test.
test('a long line may arrive in many chunks', async () => {
  const content = 'x'.repeat(12 * 1024 * 1024);
  expect(await textOf(modelThatSends(line(content, true), 64))).toHaveLength(content.length);
});

test('an answer may contain hundreds of thousands of tool calls, so that the call limit is the error', async () => {
  const calls = Array.from({ length: 300_000 }, () => ({ function: { name: 't' } }));
  const answer = `${JSON.stringify({ message: { tool_calls: calls }, done: true })}\n`;
  let count = 0;
  for await (const chunk of modelThatSends(answer, 65_536).stream({ messages: [] }, new AbortController().signal))
    if (chunk.type === 'result') count = chunk.result.toolCalls.length;
  expect(count).toBe(calls.length);
});
