import type { NodeProperty, NodeType } from '@sluice/node-sdk';
import { choice, choices, list, number, options, text, when, where } from '@sluice/nodes-base/node-tools';
import { batching } from '../../shared/prompt-properties.ts';
import { defaultPrompts } from './default-prompts.ts';
import { executeSummarization } from './execute-summarization.ts';

const second = [2, 2.1];
const fromInput = ['nodeInputJson', 'nodeInputBinary'];
const simple = when(second, { operationMode: fromInput, chunkingMode: ['simple'] });

const methods = choices(
  ['map_reduce', 'Map Reduce', 'Summarizes each chunk, then the summaries'],
  ['refine', 'Refine', 'Summarizes the first chunk, and adds to the summary with each further one'],
  ['stuff', 'Stuff', 'Summarizes all chunks in one prompt'],
);

/** The prompts, shown for the method in the parameter `method`. */
const prompts = (method: string): NodeProperty[] => [
  text('combineMapPrompt', 'Individual Summary Prompt', 'Prompt for each chunk; `{text}` becomes the chunk', {
    default: defaultPrompts.combineMapPrompt,
    ...where({ [method]: ['map_reduce'] }),
  }),
  text('prompt', 'Final Prompt to Combine', 'Prompt for the summaries, or with "Stuff" for all chunks; `{text}` becomes them', {
    default: defaultPrompts.prompt,
    ...where({ [method]: ['map_reduce', 'stuff'] }),
  }),
  text('refineQuestionPrompt', 'First Prompt', 'Prompt for the first chunk; `{text}` becomes the chunk', {
    default: defaultPrompts.refineQuestionPrompt,
    ...where({ [method]: ['refine'] }),
  }),
  text(
    'refinePrompt',
    'Subsequent Prompt',
    'Prompt for each further chunk; `{existing_answer}` becomes the summary so far, `{text}` the chunk',
    { default: defaultPrompts.refinePrompt, ...where({ [method]: ['refine'] }) },
  ),
];

/** Has a model summarize text of any length. */
export const chainSummarization: NodeType = {
  description: {
    displayName: 'Summarization Chain',
    name: 'chain-summarization',
    group: ['transform'],
    version: [1, 2, 2.1],
    description: 'Has a language model summarize text of any length',
    defaults: { name: 'Summarization Chain' },
    inputs: ['main'],
    outputs: ['main'],
    subNodes: [
      { type: 'ai_languageModel', displayName: 'Model', required: true, maxCount: 1 },
      { type: 'ai_document', displayName: 'Document', required: true, maxCount: 1, ...when([1]) },
      {
        type: 'ai_document',
        displayName: 'Document',
        required: true,
        maxCount: 1,
        ...when(second, { operationMode: ['documentLoader'] }),
      },
      {
        type: 'ai_textSplitter',
        displayName: 'Text Splitter',
        maxCount: 1,
        ...when(second, { operationMode: fromInput, chunkingMode: ['advanced'] }),
      },
    ],
    properties: [
      choice(
        'operationMode',
        'Data to Summarize',
        choices(
          ['nodeInputJson', 'Use Node Input (JSON)', 'the JSON of each item'],
          ['nodeInputBinary', 'Use Node Input (Binary)', 'a file of each item'],
          ['documentLoader', 'Use Document Loader', 'the documents of a loader that you connect'],
        ),
        when(second),
      ),
      choice(
        'chunkingMode',
        'Chunking Strategy',
        choices(
          ['simple', 'Simple (Define Below)'],
          ['advanced', 'Advanced', 'a text splitter that you connect; without one, the text is not split'],
        ),
        when(second, { operationMode: fromInput }),
      ),
      number('chunkSize', 'Characters Per Chunk', 1_000, 'Maximum number of characters in a chunk', simple),
      number('chunkOverlap', 'Chunk Overlap (Characters)', 200, 'Characters that a chunk repeats of the one before', simple),
      choice('type', 'Type', methods, when([1])),
      options(prompts('/type'), when([1])),
      options(
        [
          text('binaryDataKey', 'Input Data Field Name', 'Property of the item with the file', {
            default: 'data',
            ...where({ '/operationMode': ['nodeInputBinary'] }),
          }),
          list(
            'summarizationMethodAndPrompts',
            'Summarization Method and Prompts',
            'values',
            [choice('summarizationMethod', 'Summarization Method', methods), ...prompts('summarizationMethod')],
            { typeOptions: { multipleValues: false } },
          ),
          batching(when([2.1])),
        ],
        when(second),
      ),
    ],
    icon: 'fa:link',
  },
  execute: executeSummarization,
};
