import type { NodeType, TextSplitter } from '@sluice/node-sdk';
import { number, numberParameter, text, textParameter } from '@sluice/nodes-base/node-tools';
import { splitBySeparators } from '../../shared/split-documents.ts';
import { checkedSizes } from '../../shared/split-text.ts';

/** Splits text at one separator. */
export const textSplitterCharacterTextSplitter: NodeType = {
  description: {
    displayName: 'Character Text Splitter',
    name: 'text-splitter-character-text-splitter',
    group: ['transform'],
    version: [1],
    description: 'Splits text into chunks at a separator; a part without one may be longer than a chunk',
    defaults: { name: 'Character Text Splitter' },
    inputs: [],
    outputs: ['ai_textSplitter'],
    subNodes: [],
    properties: [
      text('separator', 'Separator', 'Text between chunks; empty: a blank line'),
      number('chunkSize', 'Chunk Size', 1_000, 'Maximum number of characters in a chunk'),
      number('chunkOverlap', 'Chunk Overlap', 0, 'Characters that a chunk repeats from the one before'),
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
    const separators = [textParameter(context, 'separator', itemIndex) || '\n\n'];
    return {
      split: (documents, signal) =>
        splitBySeparators(documents, { ...sizes, separators, keepsSeparator: false }, { context, itemIndex, signal }),
    };
  },
};
