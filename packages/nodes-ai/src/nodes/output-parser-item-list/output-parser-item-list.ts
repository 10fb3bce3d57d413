import { type ExecuteContext, NodeOperationError, type NodeType, type OutputParser, TimeSlice } from '@sluice/node-sdk';
import { number, numberParameter, options, text, textParameter } from '@sluice/nodes-base/node-tools';

/** Maximum number of items in a list; a model that repeats itself writes more. */
const maxItems = 100_000;

/** Converts a model's answer to a list of strings. */
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
        number('numberOfItems', 'Number Of Items', -1, 'Most items of the list; -1: 100,000'),
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
      const items = await itemsIn(answer, separator, max > 0 ? Math.min(max, maxItems) : maxItems);
      if (items.length > 0) return items;
      throw new NodeOperationError('The answer contains no items', {
        itemIndex,
        description: 'Describe the list in the prompt, or use a stronger model',
      });
    },
  };
}

/** The first `max` strings that are not blank, in time slices. */
async function itemsIn(answer: string, separator: string, max: number): Promise<string[]> {
  const slice = new TimeSlice();
  const items: string[] = [];
  for (let from = 0; from <= answer.length && items.length < max; ) {
    const separatorAt = answer.indexOf(separator, from);
    const end = separatorAt < 0 ? answer.length : separatorAt;
    const item = answer.slice(from, end).trim();
    if (item !== '') items.push(item);
    from = end + separator.length;
    if (slice.isOver) await slice.next();
  }
  return items;
}

function instructionsFor(max: number, separator: string): string {
  const count = max > 0 ? ` of at most ${max} items` : '';
  const between = separator === '\n' ? 'Write each item on a line of its own' : `Separate the items with "${separator}"`;
  return `Answer with a list${count} only, without numbers, bullets, or any text around it. ${between}.`;
}
