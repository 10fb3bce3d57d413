import { type ExecuteContext, NodeOperationError, type NodeType, type OutputParser } from '@sluice/node-sdk';
import { number, numberParameter, options, text, textParameter } from '@sluice/nodes-base/node-tools';

/** Turns the answer of a model into a list of texts. */
export const outputParserItemList: NodeType = {
  description: {
    displayName: 'Item List Output Parser',
    name: 'output-parser-item-list',
    group: ['transform'],
    version: 1,
    description: 'Has the model answer with a list, and splits it at a separator',
    defaults: { name: 'Item List Output Parser' },
    inputs: [],
    outputs: ['ai_outputParser'],
    computesOnly: true,
    properties: [
      options([
        number('numberOfItems', 'Number Of Items', -1, 'Most items of the list; -1: no limit'),
        text('separator', 'Separator', 'Text between two items; \\n stands for a line break', { default: '\\n' }),
      ]),
    ],
    icon: 'fa:bars',
  },
  supply,
};

function supply(context: ExecuteContext, itemIndex: number): OutputParser {
  const max = Math.trunc(numberParameter(context, 'options.numberOfItems', itemIndex, -1));
  const written = textParameter(context, 'options.separator', itemIndex, '\\n').replaceAll('\\n', '\n');
  const separator = written === '' ? '\n' : written;
  return {
    instructions: instructionsFor(max, separator),
    parse: async (answer) => {
      const items = answer.split(separator).map((item) => item.trim());
      const found = items.filter((item) => item !== '');
      if (found.length > 0) return max > 0 ? found.slice(0, max) : found;
      throw new NodeOperationError('The answer contains no items', {
        itemIndex,
        description: 'Describe the list in the prompt, or use a stronger model',
      });
    },
  };
}

function instructionsFor(max: number, separator: string): string {
  const count = max > 0 ? ` of at most ${max} items` : '';
  const between = separator === '\n' ? 'Write each item on a line of its own' : `Separate the items with "${separator}"`;
  return `Answer with a list${count} only, without numbers, bullets, or any text around it. ${between}.`;
}
