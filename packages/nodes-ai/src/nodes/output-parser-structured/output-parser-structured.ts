import type { NodeType } from '@sluice/node-sdk';
import { choice, choices, text, toggle, when } from '@sluice/nodes-base/node-tools';
import { answerExample } from '../../shared/input-schema.ts';
import { supplyStructuredParser } from './supply-structured-parser.ts';

const current = [1.2, 1.3];

/** Converts a model's answer to JSON that matches a schema. */
export const outputParserStructured: NodeType = {
  description: {
    displayName: 'Structured Output Parser',
    name: 'output-parser-structured',
    group: ['transform'],
    version: [1, 1.1, 1.2, 1.3],
    description: 'Has the model answer with JSON in a given format, and validates it',
    defaults: { name: 'Structured Output Parser' },
    inputs: [],
    outputs: ['ai_outputParser'],
    subNodes: [
      {
        type: 'ai_languageModel',
        displayName: 'Model',
        required: true,
        maxCount: 1,
        displayOptions: { show: { autoFix: [true] } },
      },
    ],
    computesOnly: true,
    properties: [
      choice(
        'schemaType',
        'Schema Type',
        choices(['fromJson', 'Generate From JSON Example'], ['manual', 'Define Using JSON Schema']),
        when(current),
      ),
      text('jsonSchemaExample', 'JSON Example', 'An example of the answer', {
        type: 'json',
        default: answerExample,
        ...when(current, { schemaType: ['fromJson'] }),
      }),
      text('inputSchema', 'Input Schema', 'JSON Schema of the answer', {
        type: 'json',
        default: '{ "type": "object", "properties": { "state": { "type": "string" } } }',
        ...when(current, { schemaType: ['manual'] }),
      }),
      text('jsonSchema', 'JSON Schema', 'JSON Schema of the answer', { type: 'json', ...when([1, 1.1]) }),
      toggle('autoFix', 'Auto-Fix Format', 'Whether a model corrects an answer that does not match', when(current)),
      toggle(
        'customizeRetryPrompt',
        'Customize Retry Prompt',
        'Whether to write the prompt of the correction',
        when(current, { autoFix: [true] }),
      ),
      text(
        'prompt',
        'Custom Prompt',
        'May contain {instructions}, {completion}, and {error}',
        when(current, { autoFix: [true], customizeRetryPrompt: [true] }),
      ),
    ],
    icon: 'fa:code',
  },
  supply: supplyStructuredParser,
};
