import type { NodeType, TextSplitter } from '@sluice/node-sdk';
import { choice, number, numberParameter, options, textParameter } from '@sluice/nodes-base/node-tools';
import { splitBySeparators } from '../../shared/split-documents.ts';
import { checkedSizes } from '../../shared/split-text.ts';
import { separatorsOf, separatorsOfLanguages } from './separators.ts';

/** Splits text at paragraphs, then lines, then words. */
export const textSplitterRecursiveCharacterTextSplitter: NodeType = {
  description: {
    displayName: 'Recursive Character Text Splitter',
    name: 'text-splitter-recursive-character-text-splitter',
    group: ['transform'],
    version: [1],
    description: 'Splits text into chunks at paragraphs, or where those are too long, at lines and words',
    defaults: { name: 'Recursive Character Text Splitter' },
    inputs: [],
    outputs: ['ai_textSplitter'],
    subNodes: [],
    properties: [
      number('chunkSize', 'Chunk Size', 1_000, 'Maximum number of characters in a chunk'),
      number('chunkOverlap', 'Chunk Overlap', 0, 'Characters that a chunk repeats from the one before'),
      options([
        choice(
          'splitCode',
          'Split Code',
          Object.keys(separatorsOfLanguages).map((value) => ({ value, name: value })),
          { default: 'markdown', description: 'Language whose units are kept together' },
        ),
      ]),
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
    const separators = separatorsOf(textParameter(context, 'options.splitCode', itemIndex), itemIndex);
    return {
      split: (documents, signal) =>
        splitBySeparators(documents, { ...sizes, separators, keepsSeparator: true }, { context, itemIndex, signal }),
    };
  },
};
