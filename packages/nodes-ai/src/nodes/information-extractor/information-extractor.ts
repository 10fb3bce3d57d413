import type { ExecuteContext, Item, NodeType } from '@sluice/node-sdk';
import { choice, choices, list, options, text, toggle, where } from '@sluice/nodes-base/node-tools';
import { askForJson } from '../../shared/ask-for-json.ts';
import { inBatches } from '../../shared/in-batches.ts';
import { answerExample } from '../../shared/input-schema.ts';
import { batching } from '../../shared/prompt-properties.ts';
import { extractedSchema } from './extracted-schema.ts';

const instructions = `Extract the requested values from the text of the user. Take values only from the text. Leave out a value that the text does not contain.`;

/** Has a model find values in the text of each item. */
export const informationExtractor: NodeType = {
  description: {
    displayName: 'Information Extractor',
    name: 'information-extractor',
    group: ['transform'],
    version: [1, 1.1, 1.2],
    description: 'Has a language model extract values from text, in the format that you define',
    defaults: { name: 'Information Extractor' },
    inputs: ['main'],
    outputs: ['main'],
    subNodes: [{ type: 'ai_languageModel', displayName: 'Model', required: true, maxCount: 1 }],
    properties: [
      text('text', 'Text', 'The text with the values'),
      choice(
        'schemaType',
        'Schema Type',
        choices(
          ['fromAttributes', 'From Attribute Descriptions'],
          ['fromJson', 'Generate From JSON Example'],
          ['manual', 'Define Using JSON Schema'],
        ),
      ),
      list(
        'attributes',
        'Attributes',
        'attributes',
        [
          text('name', 'Name', 'Field of the output'),
          choice(
            'type',
            'Data Type',
            choices(['string', 'String'], ['boolean', 'Boolean'], ['date', 'Date', 'as ISO 8601'], ['number', 'Number']),
          ),
          text('description', 'Description', 'What the value is, for the model'),
          toggle('required', 'Required', 'Whether an answer without the value is refused'),
        ],
        where({ schemaType: ['fromAttributes'] }),
      ),
      text(
        'jsonSchemaExample',
        'JSON Example',
        'An example of the output; from version 1.2 on, each of its fields is required',
        {
          type: 'json',
          default: answerExample,
          ...where({ schemaType: ['fromJson'] }),
        },
      ),
      text('inputSchema', 'Input Schema', 'JSON Schema of the output', {
        type: 'json',
        default: '{ "type": "object", "properties": { "state": { "type": "string" } } }',
        ...where({ schemaType: ['manual'] }),
      }),
      options([
        text('systemPromptTemplate', 'System Prompt Template', 'Instructions for the model', { default: instructions }),
        batching(),
      ]),
    ],
    icon: 'fa:project-diagram',
  },
  execute: async (context) => [await inBatches(context, (_, itemIndex) => extract(context, itemIndex))],
};

async function extract(context: ExecuteContext, itemIndex: number): Promise<Item> {
  const schema = extractedSchema(context, itemIndex);
  const output = await askForJson(context, itemIndex, { parameter: 'text', instructions, schema });
  return { json: { output }, pairedItem: { item: itemIndex } };
}
