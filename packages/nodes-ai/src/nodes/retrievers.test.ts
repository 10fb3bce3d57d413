import { afterAll, expect, test } from '@jest/globals';
import type { JsonObject, Retriever, TextDocument } from '@sluice/node-sdk';
import { askSubNode } from '../testing/ask-sub-node.ts';
import { aiEngine } from '../testing/run-ai.ts';
import type { CalledWorkflows } from '../testing/run-attempts.ts';
import { type ScriptedAnswer, scriptedModel, supplierType } from '../testing/scripted-model.ts';

const engine = aiEngine();
afterAll(() => engine.close());

const document = (text: string): TextDocument => ({ text, metadata: { from: text } });

/**
 * Queries a retriever that is connected to a model with these answers, and to another retriever.
 */
async function retrieve(
  type: string,
  parameters: JsonObject,
  answers: readonly ScriptedAnswer[],
  find: (query: string) => TextDocument[] = () => [],
) {
  const model = scriptedModel(answers);
  const queries: string[] = [];
  const inner: Retriever = {
    retrieve: async (query) => {
      queries.push(query);
      return find(query);
    },
  };
  const nodes = {
    Model: { type: supplierType('model', 'ai_languageModel', () => model), to: { Supplier: 'ai_languageModel' } },
    Inner: { type: supplierType('inner', 'ai_retriever', () => inner), to: { Supplier: 'ai_retriever' } },
  };
  const run = await askSubNode(
    engine,
    'ai_retriever',
    { type: `@n8n/n8n-nodes-langchain.${type}`, parameters },
    (retriever, signal) => retriever.retrieve('cats?', signal),
    { nodes },
  );
  return { ...run, model, queries, documents: run.json('Asker')[0]?.['result'] };
}

test('every variant of a question is searched, and each document is returned once', async () => {
  const { queries, documents, model } = await retrieve(
    'retrieverMultiQuery',
    { options: { queryCount: 2 } },
    ['  cat sounds \n\nwhat cats do\ncat sounds\na third one'],
    (query) => [document('both'), document(query)],
  );
  expect(queries).toEqual(['cat sounds', 'what cats do']);
  expect(documents).toEqual(['both', 'cat sounds', 'what cats do'].map(document));
  expect(JSON.stringify(model.requests[0]?.messages)).toContain('Write 2 different versions');
});

test('the prompt for variants can be replaced, and at most 20 variants are searched', async () => {
  const lines = Array.from({ length: 50 }, (_, index) => `wording ${index}`).join('\n');
  const options = { queryCount: 1_000, prompt: '{queryCount} times: {question}' };
  const { queries, model } = await retrieve('retrieverMultiQuery', { options }, [lines]);
  expect(queries).toHaveLength(20);
  expect(model.requests[0]?.messages[0]?.content).toBe('20 times: cats?');
});

test('an answer without variants is an error', async () => {
  const { outcome } = await retrieve('retrieverMultiQuery', {}, [' \n']);
  expect(outcome).toMatchObject({ error: { message: expect.stringContaining('no versions of the question') } });
});

test('documents are shortened to the parts relevant to the question; others are omitted', async () => {
  const { documents, model } = await retrieve('retrieverContextualCompression', {}, [' Cats purr. ', 'NO_OUTPUT', ''], () =>
    ['Cats purr. Dogs bark.', 'Fish', 'Birds'].map(document),
  );
  expect(documents).toEqual([{ text: 'Cats purr.', metadata: { from: 'Cats purr. Dogs bark.' } }]);
  expect(model.requests).toHaveLength(3);
  expect(JSON.stringify(model.requests[0]?.messages)).toContain('Question: cats?');
});

/**
 * A chain whose retriever calls the workflow `sub`, directly or through the multi-query retriever.
 */
async function chain(called: CalledWorkflows, parameters: JsonObject = {}, answers: readonly ScriptedAnswer[] = ['done']) {
  const model = scriptedModel(answers);
  const target = answers.length > 1 ? 'Wordings' : 'Chain';
  const run = await engine.run(
    {
      Chain: { type: 'ai.chain-retrieval-qa', typeVersion: 1.6, parameters: { promptType: 'define', text: 'cats?' } },
      Model: {
        type: supplierType('model', 'ai_languageModel', () => model),
        to: { Chain: 'ai_languageModel', ...(answers.length > 1 && { Wordings: 'ai_languageModel' }) },
      },
      ...(answers.length > 1 && { Wordings: { type: 'ai.retriever-multi-query', to: { Chain: 'ai_retriever' } } }),
      Sub: {
        type: '@n8n/n8n-nodes-langchain.retrieverWorkflow',
        typeVersion: 1.1,
        parameters: { workflowId: { __rl: true, mode: 'id', value: 'sub' }, ...parameters },
        to: { [target]: 'ai_retriever' },
      },
    },
    [{ who: 'Ada' }],
    { called },
  );
  return { ...run, model };
}

test('a workflow receives the question and the fields; its items are the documents', async () => {
  const got: JsonObject[] = [];
  const sub = (items: JsonObject[]) => {
    got.push(...items);
    return [{ a: 1 }, { b: 'x' }];
  };
  const fields = { values: [{ name: 'who', stringValue: '={{ $json.who }}' }] };
  const { json, uses, model } = await chain({ sub }, { fields });
  expect(json('Chain')).toEqual([{ response: 'done' }]);
  expect(got).toEqual([{ query: 'cats?', who: 'Ada' }]);
  expect(uses('Sub')).toHaveLength(1);
  expect(JSON.stringify(model.requests[0]?.messages)).toContain('{\\"a\\":1}\\n\\n{\\"b\\":\\"x\\"}');
});

test('a workflow may be defined as JSON', async () => {
  const inline = () => [{ a: 2 }];
  const { model } = await chain({ inline }, { source: 'parameter', workflowJson: '{"nodes":[],"connections":{}}' });
  expect(JSON.stringify(model.requests[0]?.messages)).toContain('{\\"a\\":2}');
});

test('each variant calls the workflow once, and the model is not called again after a wait', async () => {
  const got: JsonObject[] = [];
  const sub = (items: JsonObject[]) => {
    got.push(...items);
    return [{ n: got.length }];
  };
  const { json, model } = await chain({ sub }, {}, ['one\ntwo', 'done']);
  expect(json('Chain')).toEqual([{ response: 'done' }]);
  expect(got).toEqual([{ query: 'one' }, { query: 'two' }]);
  expect(model.requests).toHaveLength(2);
});

test('the chain fails with the error of a failed workflow', async () => {
  const sub = () => {
    throw new Error('no stock');
  };
  expect((await chain({ sub })).outcome).toMatchObject({ status: 'error', error: { message: 'no stock' } });
});
