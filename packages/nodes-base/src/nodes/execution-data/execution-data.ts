import { isJsonObject, type JsonObject, type JsonValue, NodeOperationError, type NodeType } from '@sluice/node-sdk';
import { passedItem } from '../../shared/per-item.ts';
import { mapItemsAsync } from '../../shared/per-item-async.ts';
import { choice, choices, list, text } from '../../shared/properties.ts';

/** Saves strings with the execution. */
export const executionData: NodeType = {
  description: {
    displayName: 'Execution Data',
    name: 'execution-data',
    group: ['input'],
    version: [1, 1.1],
    description: 'Saves strings with the execution, and passes its items on',
    defaults: { name: 'Execution Data' },
    inputs: ['main'],
    outputs: ['main'],
    icon: 'fa:bookmark',
    properties: [
      choice('operation', 'Operation', choices(['save', 'Save Highlight Data (for Search/Review)'])),
      list('dataToSave', 'Data to Save', 'values', [
        text('key', 'Key', 'Up to 50 letters, digits, and `_`'),
        text('value', 'Value', 'Text of up to 255 characters; other values are saved as JSON'),
      ]),
    ],
  },
  async execute(context) {
    const items = await mapItemsAsync(context, async (item, itemIndex) => {
      for (const { key = '', value = '' } of entriesOf(context.parameter<JsonValue>('dataToSave.values', itemIndex))) {
        if (!context.addCustomData) throw notStored(itemIndex);
        context.addCustomData(textOf(key), textOf(value));
      }
      return passedItem(item, itemIndex);
    });
    return [items];
  },
};

const entriesOf = (value: JsonValue | undefined): JsonObject[] => [value ?? []].flat().filter(isJsonObject);
const textOf = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value));

function notStored(itemIndex: number): NodeOperationError {
  const description = 'Use the node in a workflow, not as a part of another node';
  return new NodeOperationError('strings cannot be saved with the execution here', { itemIndex, description });
}
