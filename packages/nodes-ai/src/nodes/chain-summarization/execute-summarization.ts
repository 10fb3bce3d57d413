import { type ExecuteContext, type Item, NodeOperationError, type NodeOutput } from '@sluice/node-sdk';
import { choiceParameter, textParameter } from '@sluice/nodes-base/node-tools';
import { answerOnce } from '../../shared/answer-once.ts';
import { modelsOf } from '../../shared/ask-model.ts';
import { inBatches } from '../../shared/in-batches.ts';
import { defaultPrompts, type Prompts } from './default-prompts.ts';
import { sourceDocuments } from './source-documents.ts';
import { type SummarizationMethod, summarizationMethods, summarize } from './summarize.ts';

/** A summary for each item. */
export async function executeSummarization(context: ExecuteContext): Promise<NodeOutput> {
  return [await inBatches(context, (_, itemIndex) => summarizeItem(context, itemIndex))];
}

async function summarizeItem(context: ExecuteContext, itemIndex: number): Promise<Item> {
  const { method, prompts } = settingsOf(context, itemIndex);
  noteMissingPlaceholder(context, method, prompts);
  const models = await modelsOf(context, itemIndex);
  const documents = await sourceDocuments(context, itemIndex);
  const texts = documents.map((document) => document.text).filter((one) => one.trim() !== '');
  if (texts.length === 0)
    throw new NodeOperationError('there is no text to summarize', {
      itemIndex,
      description: 'Check "Data to Summarize", and the input of the node',
    });
  const ask = async (prompt: string, signal: AbortSignal) => {
    const { text } = await answerOnce({ models, messages: [{ role: 'user', content: prompt }], signal });
    return text;
  };
  const text = await summarize(texts, { method, prompts, ask, signal: context.signal });
  return { json: context.typeVersion < 2.1 ? { response: { text } } : { output: { text } }, pairedItem: { item: itemIndex } };
}

function settingsOf(context: ExecuteContext, itemIndex: number): { method: SummarizationMethod; prompts: Prompts } {
  const isFirst = context.typeVersion < 2;
  const group = isFirst ? 'options' : 'options.summarizationMethodAndPrompts.values';
  const path = isFirst ? 'type' : `${group}.summarizationMethod`;
  const names = Object.keys(defaultPrompts) as (keyof Prompts)[];
  const written = names.map((name) => [name, textParameter(context, `${group}.${name}`, itemIndex) || defaultPrompts[name]]);
  return {
    method: choiceParameter(context, path, itemIndex, summarizationMethods, 'map_reduce'),
    prompts: Object.fromEntries(written) as Prompts,
  };
}

const promptsOf: Readonly<Record<SummarizationMethod, readonly (keyof Prompts)[]>> = {
  map_reduce: ['combineMapPrompt', 'prompt'],
  stuff: ['prompt'],
  refine: ['refineQuestionPrompt', 'refinePrompt'],
};

function noteMissingPlaceholder(context: ExecuteContext, method: SummarizationMethod, prompts: Prompts): void {
  const missing = promptsOf[method].find((name) => !prompts[name].includes('{text}'));
  if (missing === undefined) return;
  const message = `The prompt "${missing}" has no {text}, so the model does not see the text`;
  context.addHints?.({ message, type: 'warning' });
}
