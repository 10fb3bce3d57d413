import type { NodeType, TextSplitter } from '@sluice/node-sdk';
import { number, numberParameter, runOnThread, taskModule } from '@sluice/nodes-base/node-tools';
import { splitDocuments } from '../../shared/split-documents.ts';
import { type Chunk, checkedSizes } from '../../shared/split-text.ts';

const module = taskModule('split-tokens-task', import.meta.url);

/** Splits text by OpenAI model tokens. */
export const textSplitterTokenSplitter: NodeType = {
  description: {
    displayName: 'Token Splitter',
    name: 'text-splitter-token-splitter',
    group: ['transform'],
    version: [1],
    description: 'Splits text into chunks by number of tokens, as OpenAI models count them',
    defaults: { name: 'Token Splitter' },
    inputs: [],
    outputs: ['ai_textSplitter'],
    subNodes: [],
    properties: [
      number('chunkSize', 'Chunk Size', 1_000, 'Most tokens of a chunk'),
      number('chunkOverlap', 'Chunk Overlap', 0, 'Tokens that a chunk repeats from the one before'),
    ],
    computesOnly: true,
    icon: 'fa:grip-lines-vertical',
  },
  supply: (context, itemIndex): TextSplitter => {
    const sizes = checkedSizes(
      numberParameter(context, 'chunkSize', itemIndex, 1_000),
      numberParameter(context, 'chunkOverlap', itemIndex, 0),
      itemIndex,
    );
    return {
      split: (documents, signal) =>
        splitDocuments(documents, { context, itemIndex, signal }, (text, task) =>
          runOnThread<Chunk>(module, { text, ...sizes }, task),
        ),
    };
  },
};
