import { afterAll, describe, expect, test } from '@jest/globals';
import type { JsonObject, LanguageModel, ModelRequest } from '@sluice/node-sdk';
import { textOf } from '@sluice/node-sdk';
import { memoryBinary } from '@sluice/nodes-base/testing';
import { type AiNode, aiEngine } from '../../testing/run-ai.ts';
import { scriptedModel, supplierType } from '../../testing/scripted-model.ts';
import { groupsOf } from './summarize.ts';

const engine = aiEngine();
afterAll(() => engine.close());

const type = '@n8n/n8n-nodes-langchain.chainSummarization';
const words = 'one two three four five six seven eight nine ten';
const chunked = { chunkSize: 20, chunkOverlap: 0 };
const withMethod = (summarizationMethod: string, prompts: JsonObject = {}) => ({
  options: { summarizationMethodAndPrompts: { values: { summarizationMethod, ...prompts } } },
});

interface Chain {
  typeVersion?: number;
  parameters?: JsonObject;
  items?: JsonObject[];
  answer?: (prompt: string) => string | Error;
  nodes?: Record<string, AiNode>;
  files?: Record<string, string>;
}

/** Runs the chain with a model whose answer depends on the prompt. */
async function run({ typeVersion = 2.1, parameters = {}, items = [{ text: 'hi' }], answer, nodes, files = {} }: Chain) {
  const prompts: string[] = [];
  const generate = async (request: ModelRequest, signal: AbortSignal) => {
    const prompt = textOf(request.messages.at(-1) ?? { content: '' });
    prompts.push(prompt);
    return scriptedModel([answer ? answer(prompt) : `<${prompt}>`]).generate(request, signal);
  };
  const model: LanguageModel = { ...scriptedModel([]), generate };
  const binary = memoryBinary();
  const stored = Object.entries(files).map(
    async ([fileName, content]) =>
      [fileName.split('.')[0] ?? '', await binary.store(Buffer.from(content), { fileName })] as const,
  );
  const result = await engine.run(
    {
      Chain: { type, typeVersion, parameters },
      Model: { type: supplierType('model', 'ai_languageModel', () => model), to: { Chain: 'ai_languageModel' } },
      ...nodes,
    },
    items,
    { binary, files: Object.fromEntries(await Promise.all(stored)) },
  );
  const { outcome } = result;
  return { prompts, json: result.json('Chain'), error: outcome.status === 'error' ? outcome.error : undefined };
}

describe('methods', () => {
  test('map reduce summarizes each chunk, then the summaries', async () => {
    const parameters = { ...chunked, ...withMethod('map_reduce', { combineMapPrompt: 'map {text}', prompt: 'all {text}' }) };
    const { prompts, json } = await run({ parameters, items: [{ text: words }], answer: (prompt) => `[${prompt.length}]` });
    expect(prompts.length).toBeGreaterThan(3);
    expect(prompts.slice(0, -1).every((prompt) => prompt.startsWith('map '))).toBe(true);
    expect(prompts.at(-1)).toBe(
      `all ${prompts
        .slice(0, -1)
        .map(({ length }) => `[${length}]`)
        .join('\n\n')}`,
    );
    expect(json).toEqual([{ output: { text: `[${prompts.at(-1)?.length}]` } }]);
  });

  test('map reduce merges long summaries in groups first', async () => {
    const parameters = { ...chunked, ...withMethod('map_reduce', { combineMapPrompt: 'map {text}', prompt: 'all {text}' }) };
    const { prompts, json } = await run({
      parameters,
      items: [{ text: words }],
      answer: (prompt) => (prompt.startsWith('map') ? 'x'.repeat(7_000) : 'short'),
    });
    const merges = prompts.filter((prompt) => prompt.startsWith('all'));
    expect(merges.length).toBeGreaterThan(1);
    expect(Math.max(...merges.map(({ length }) => length))).toBeLessThan(15_000);
    expect(json).toEqual([{ output: { text: 'short' } }]);
  });

  test('stuff sends all chunks in one prompt', async () => {
    const { prompts, json } = await run({ parameters: withMethod('stuff', { prompt: 'Say: {text} {other}' }) });
    expect(prompts).toEqual(['Say: {\n  "text": "hi"\n} {other}']);
    expect(json).toEqual([{ output: { text: `<${prompts[0]}>` } }]);
  });

  test('refine adds each chunk to the summary so far', async () => {
    const { prompts } = await run({
      parameters: {
        ...chunked,
        ...withMethod('refine', { refineQuestionPrompt: 'first {text}', refinePrompt: '{existing_answer} + {text}' }),
      },
      items: [{ text: 'one two three four five' }],
      answer: (prompt) => `${prompt.length}`,
    });
    expect(prompts[0]).toMatch(/^first \{/);
    for (const [index, prompt] of prompts.slice(1).entries()) expect(prompt).toMatch(`${prompts[index]?.length} + `);
    expect(prompts.length).toBeGreaterThan(1);
  });

  test('a failed chunk fails the item', async () => {
    const { error, prompts } = await run({
      parameters: chunked,
      items: [{ text: words.repeat(20) }],
      answer: () => new Error('no answer'),
    });
    expect(error).toMatchObject({ message: expect.stringContaining('no answer') });
    expect(prompts.length).toBeLessThan(10);
  });

  test('text that looks like a placeholder is not replaced', async () => {
    const { prompts } = await run({ items: [{ text: '{text} $& {existing_answer}' }], parameters: withMethod('stuff') });
    expect(prompts[0]).toContain('{text} $& {existing_answer}');
  });
});

test('groups have at least two summaries, so merging always terminates', () => {
  const long = Array.from({ length: 7 }, () => 'x'.repeat(20_000));
  expect(groupsOf(long).map(({ length }) => length)).toEqual([2, 2, 2, 1]);
  expect(groupsOf(['a', 'b', 'c'])).toEqual([['a', 'b', 'c']]);
});

describe('data to summarize', () => {
  const loader: AiNode = {
    type: 'ai.document-default-data-loader',
    typeVersion: 1.1,
    parameters: { jsonMode: 'expressionData', jsonData: '={{ $json.text }}' },
    to: { Chain: 'ai_document' },
  };
  test('the documents of a loader; version 1 names the method "type"', async () => {
    const first = await run({
      typeVersion: 1,
      parameters: { type: 'stuff', options: { prompt: 'a {text}' } },
      nodes: { loader },
    });
    expect(first).toMatchObject({ prompts: ['a hi'], json: [{ response: { text: '<a hi>' } }] });
    const parameters = { operationMode: 'documentLoader', ...withMethod('stuff', { prompt: 'b {text}' }) };
    const second = await run({ typeVersion: 2, parameters, nodes: { loader } });
    expect(second).toMatchObject({ prompts: ['b hi'], json: [{ response: { text: '<b hi>' } }] });
  });

  test('a file of the item', async () => {
    const parameters = { operationMode: 'nodeInputBinary', ...withMethod('stuff', { prompt: '{text}' }) };
    expect((await run({ parameters, files: { 'data.txt': 'a note' } })).prompts).toEqual(['a note']);
    const other = { ...parameters, options: { ...parameters.options, binaryDataKey: 'memo' } };
    expect((await run({ parameters: other, files: { 'memo.csv': 'a,b\n1,2\n' } })).prompts).toEqual(['a: 1\nb: 2']);
    expect((await run({ parameters })).error).toMatchObject({ message: 'the item has no file "data"' });
  });

  test('the chunks of a connected splitter', async () => {
    const splitter: AiNode = {
      type: 'ai.text-splitter-character-text-splitter',
      parameters: { separator: '\n', chunkSize: 8, chunkOverlap: 0 },
      to: { Chain: 'ai_textSplitter' },
    };
    const parameters = { chunkingMode: 'advanced', ...withMethod('map_reduce', { combineMapPrompt: 'm{text}' }) };
    const { prompts } = await run({ parameters, nodes: { splitter } });
    expect(prompts.slice(0, -1)).toEqual(['m{', 'm  "text": "hi"', 'm}']);
  });

  test('without a splitter, the advanced strategy does not split', async () => {
    const parameters = { chunkingMode: 'advanced', ...withMethod('stuff', { prompt: '{text}' }) };
    const { prompts, error } = await run({ parameters, items: [{ text: words.repeat(200) }] });
    expect(error).toBeUndefined();
    expect(prompts).toEqual([expect.stringContaining(words.repeat(200))]);
  });

  test.each<[JsonObject, string]>([
    [{ operationMode: 'documentLoader' }, 'no document loader is connected'],
    [{ operationMode: 'nodeInputBinary' }, 'there is no text to summarize'],
    [{ chunkSize: 10, chunkOverlap: 10 }, 'chunk overlap'],
    [{ operationMode: 'guess' }, 'operationMode'],
    [withMethod('guess'), 'summarizationMethod'],
  ])('%j is refused before the model is asked', async (parameters, message) => {
    const { prompts, error } = await run({ parameters, files: { 'data.txt': ' ' } });
    expect(error).toMatchObject({ message: expect.stringContaining(message) });
    expect(prompts).toEqual([]);
  });
});
