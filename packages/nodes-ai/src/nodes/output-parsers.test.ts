import { afterAll, describe, expect, test } from '@jest/globals';
import { type JsonObject, NodeOperationError, type OutputParser } from '@sluice/node-sdk';
import { longestBusy } from '@sluice/test-support';
import { askSubNode } from '../testing/ask-sub-node.ts';
import { aiEngine } from '../testing/run-ai.ts';
import { type ScriptedAnswer, scriptedModel, supplierType } from '../testing/scripted-model.ts';

const engine = aiEngine();
afterAll(() => engine.close());

describe('the item list parser', () => {
  async function parsed(answer: string, options: JsonObject = {}) {
    const supplier = { type: '@n8n/n8n-nodes-langchain.outputParserItemList', parameters: { options } };
    const { outcome, json } = await askSubNode(engine, 'ai_outputParser', supplier, async (parser, signal) => ({
      instructions: parser.instructions,
      list: await parser.parse(answer, signal),
    }));
    return outcome.status === 'error' ? outcome.error : (json('Asker')[0]?.['result'] as JsonObject);
  }

  test.each<[JsonObject, string, string[]]>([
    [{}, 'a\n\n b \r\nc', ['a', 'b', 'c']],
    [{ numberOfItems: 2 }, 'a\nb\nc', ['a', 'b']],
    [{ separator: ',' }, 'a, b\nc', ['a', 'b\nc']],
    [{ separator: '\\n\\n' }, 'a\nb\n\nc', ['a\nb', 'c']],
    [{ separator: '' }, 'a\nb', ['a', 'b']],
  ])('with %j splits %j into %j', async (options, answer, list) => {
    expect(await parsed(answer, options)).toMatchObject({ list });
  });

  test('provides instructions for the model, and rejects an empty list', async () => {
    expect(await parsed('a', { separator: ';', numberOfItems: 3 })).toMatchObject({
      instructions: expect.stringMatching(/at most 3 items.*";"/),
    });
    expect(await parsed(' \n ')).toMatchObject({ message: 'The answer contains no items' });
  });
});

test('the item list parser reads an answer of millions of lines in time slices, and keeps 100,000 items', async () => {
  let count = 0;
  const busy = await longestBusy(async () => {
    const long = { type: 'ai.output-parser-item-list' };
    await askSubNode(engine, 'ai_outputParser', long, async (parser, signal) => {
      const list = await parser.parse(`${'\n'.repeat(5_000_000)}${'a\n'.repeat(200_000)}`, signal);
      count = Array.isArray(list) ? list.length : 0;
      return null;
    });
  });
  expect(count).toBe(100_000);
  expect(busy).toBeLessThan(250);
});

describe('the auto-fixing parser', () => {
  const strict: OutputParser = {
    instructions: 'Answer yes or no.',
    parse: async (text) => {
      if (text === 'yes' || text === 'no') return text;
      throw new NodeOperationError(`"${text}" is neither`);
    },
  };
  async function fixed(answer: string, answers: ScriptedAnswer[], parameters: JsonObject = {}) {
    const model = scriptedModel(answers);
    const supplier = { type: '@n8n/n8n-nodes-langchain.outputParserAutofixing', parameters };
    const nodes = {
      Model: { type: supplierType('model', 'ai_languageModel', () => model), to: { Supplier: 'ai_languageModel' } },
      Strict: { type: supplierType('strict', 'ai_outputParser', () => strict), to: { Supplier: 'ai_outputParser' } },
    };
    const ask = (parser: OutputParser, signal: AbortSignal) => parser.parse(answer, signal);
    const { outcome, json } = await askSubNode(engine, 'ai_outputParser', supplier, ask, { nodes });
    return {
      outcome,
      result: json('Asker')[0]?.['result'],
      prompts: model.requests.map(({ messages }) => messages[0]?.content),
    };
  }

  test('asks the model only about an answer that the parser rejects', async () => {
    expect(await fixed('yes', ['no'])).toMatchObject({ result: 'yes', prompts: [] });
    const { result, prompts } = await fixed('maybe', ['no']);
    expect(result).toBe('no');
    for (const part of ['Answer yes or no.', 'maybe', '"maybe" is neither']) expect(prompts[0]).toContain(part);
  });

  test('uses the prompt of the node, and fails if the correction is rejected, too', async () => {
    const prompt = '{error} / {completion} / {instructions} / {other}';
    const { outcome, prompts } = await fixed('{error}', ['perhaps'], { options: { prompt } });
    expect(prompts).toEqual(['"{error}" is neither / {error} / Answer yes or no. / {other}']);
    expect(outcome).toMatchObject({ status: 'error', error: { message: '"perhaps" is neither' } });
  });

  test('needs a parser', async () => {
    const model = {
      type: supplierType('model', 'ai_languageModel', () => scriptedModel(['a'])),
      to: { Supplier: 'ai_languageModel' },
    };
    const supplier = { type: 'ai.output-parser-autofixing' };
    const { outcome } = await askSubNode(engine, 'ai_outputParser', supplier, async () => null, { nodes: { Model: model } });
    expect(outcome).toMatchObject({ status: 'error', error: { message: 'no output parser is connected' } });
  });
});
