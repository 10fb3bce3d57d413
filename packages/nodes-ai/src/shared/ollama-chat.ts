import type { ExecuteContext, JsonObject, JsonValue, NodeProperty, NodeType } from '@sluice/node-sdk';
import { choice, choices, number, options, text, textParameter, toggle } from '@sluice/nodes-base/node-tools';
import { boundedFetch } from '../adapter/bounded-answer.ts';
import { OllamaModel } from '../adapter/ollama-model.ts';
import { accessOf } from './define-chat-model.ts';
import { modelIdOf, modelMethods, modelProperty } from './model-list.ts';
import { chatSettings } from './model-properties.ts';
import { ollamaAddress, ollamaModels, ollamaOptions } from './ollama.ts';

const fallback = 'llama3.2';

/** Model parameter → Ollama option and its property. https://docs.ollama.com/modelfile */
const modelOptions: Readonly<Record<string, readonly [option: string, property: NodeProperty]>> = {
  temperature: ['temperature', number('temperature', 'Sampling Temperature', 0.7, 'Randomness of the answer; 0: least')],
  topK: ['top_k', number('topK', 'Top K', -1, 'Number of likely tokens that are considered; -1: as the model decides')],
  topP: ['top_p', number('topP', 'Top P', 1, 'Share of likely tokens that are considered')],
  frequencyPenalty: ['frequency_penalty', number('frequencyPenalty', 'Frequency Penalty', 0, 'Against repeated words')],
  presencePenalty: ['presence_penalty', number('presencePenalty', 'Presence Penalty', 0, 'In favor of new topics')],
  repeatPenalty: ['repeat_penalty', number('repeatPenalty', 'Repeat Penalty', 1, 'Against repeated tokens; 1: none')],
  numPredict: ['num_predict', number('numPredict', 'Max Tokens to Generate', -1, 'Most tokens of the answer; -1: no limit')],
  numCtx: [
    'num_ctx',
    number('numCtx', 'Context Length', 2_048, 'Tokens of the prompt and the answer; earlier ones are dropped'),
  ],
  numBatch: ['num_batch', number('numBatch', 'Batch Size', 512, 'Tokens of the prompt that are processed at once')],
  numGpu: ['num_gpu', number('numGpu', 'Number of GPUs', -1, 'Layers that run on the GPU; -1: as Ollama decides')],
  mainGpu: ['main_gpu', number('mainGpu', 'Main GPU', 0, 'Index of the GPU for small tensors')],
  numThread: ['num_thread', number('numThread', 'Number of CPU Threads', 0, 'Threads; 0: as Ollama decides')],
  useMMap: ['use_mmap', toggle('useMMap', 'Use Memory Mapping', 'Whether the file of the model is mapped into memory')],
  useMLock: ['use_mlock', toggle('useMLock', 'Use Memory Locking', 'Whether the model stays in memory')],
  lowVram: ['low_vram', toggle('lowVram', 'Low VRAM Mode', 'Whether to save memory of the GPU')],
  vocabOnly: ['vocab_only', toggle('vocabOnly', 'Only Load Vocabulary', 'Whether only the vocabulary is loaded')],
  penalizeNewline: [
    'penalize_newline',
    toggle('penalizeNewline', 'Penalize Newlines', 'Whether line breaks count as repeated'),
  ],
};
/** Options whose negative or zero values select the server's default. */
const positiveOnly: ReadonlySet<string> = new Set(['topK', 'numGpu', 'numThread']);

/** Ollama streams a JSON object in each line. */
const asLines = (fetch: typeof globalThis.fetch) => boundedFetch(fetch, 'line');

/** A node type that supplies a model of Ollama. */
export function ollamaChatModel(name: string, displayName: string): NodeType {
  return {
    description: {
      displayName,
      name,
      group: ['transform'],
      version: [1],
      description: 'Supplies a model from an Ollama server',
      defaults: { name: displayName },
      inputs: [],
      outputs: ['ai_languageModel'],
      subNodes: [],
      credentials: [{ name: 'ollamaApi', required: true }],
      properties: [
        modelProperty('model', fallback),
        options([
          ...Object.values(modelOptions).map(([, property]) => property),
          text('keepAlive', 'Keep Alive', 'How long the model stays in memory, as `5m`', { default: '5m' }),
          choice('format', 'Output Format', choices(['default', 'Default'], ['json', 'JSON', 'The prompt must ask for JSON'])),
          number('timeout', 'Timeout', 60_000, 'Milliseconds until the whole answer has arrived'),
        ]),
      ],
      icon: 'fa:comment',
    },
    methods: modelMethods({ ...ollamaModels, credential: 'ollamaApi' }),
    supply: async (context, itemIndex) => {
      const modelId = modelIdOf(context, itemIndex, 'model', fallback);
      const use = { context, itemIndex, modelId, ...(await accessOf(context, itemIndex, 'ollamaApi', asLines)) };
      return new OllamaModel({
        address: ollamaAddress(use.data),
        modelId,
        fetch: ollamaOptions(use).fetch,
        body: bodyOf(context, itemIndex),
        maxRetries: chatSettings(context, itemIndex).maxRetries,
      });
    },
  };
}

function bodyOf(context: ExecuteContext, itemIndex: number): JsonObject {
  const values = Object.entries(modelOptions).flatMap(([name, [option]]): [string, JsonValue][] => {
    const value = context.parameter<JsonValue>(`options.${name}`, itemIndex) ?? null;
    return value === null || (positiveOnly.has(name) && Number(value) <= 0) ? [] : [[option, value]];
  });
  const keepAlive = textParameter(context, 'options.keepAlive', itemIndex);
  return {
    ...(values.length > 0 && { options: Object.fromEntries(values) }),
    ...(keepAlive !== '' && { keep_alive: keepAlive }),
    ...(textParameter(context, 'options.format', itemIndex, 'default') === 'json' && { format: 'json' }),
  };
}
