import type { NodeProperty, NodeType } from '@sluice/node-sdk';
import { choice, choices, list, mapItemsAsync, number, options, text, toggle, where } from '@sluice/nodes-base/node-tools';
import { modelMethods, modelProperty } from '../../shared/model-list.ts';
import { ollamaModels } from '../../shared/ollama.ts';
import { askOllama, ollamaCredential, ollamaOptionNames } from './ask-ollama.ts';

const of = (resource: string) => where({ resource: [resource] });

const properties: NodeProperty[] = [
  choice('resource', 'Resource', choices(['text', 'Text'], ['image', 'Image'])),
  choice('operation', 'Operation', choices(['message', 'Message a Model']), of('text')),
  choice('operation', 'Operation', choices(['analyze', 'Analyze Image']), of('image')),
  modelProperty('modelId', ''),
  list(
    'messages',
    'Messages',
    'values',
    [
      text('content', 'Content', 'The text of the message'),
      choice('role', 'Role', choices(['user', 'User'], ['assistant', 'Assistant'])),
    ],
    of('text'),
  ),
  text('text', 'Text Input', 'A question about the images', { default: "What's in this image?", ...of('image') }),
  text('binaryPropertyName', 'Input Data Field Name(s)', 'Properties of the item with the images, separated by commas', {
    default: 'data',
    ...of('image'),
  }),
  toggle('simplify', 'Simplify Output', 'Whether to output only the text of the answer', { default: true }),
  options([
    text('system', 'System Message', 'Instructions for the model'),
    ...Object.keys(ollamaOptionNames).map((name) => number(name, name, 0, 'Passed to Ollama, if it is set')),
    choice('format', 'Output Format', choices(['', 'Default'], ['json', 'JSON', 'The prompt must ask for JSON'])),
    text('keep_alive', 'Keep Alive', 'How long the model stays in memory, as `5m`'),
    number('maxToolsIterations', 'Max Tool Calls Iterations', 15, 'Most rounds of tools; 0: 1,000'),
  ]),
];

/** Text and images, with a model on an Ollama server. */
export const ollama: NodeType = {
  description: {
    displayName: 'Ollama',
    name: 'ollama',
    group: ['transform'],
    version: [1],
    description: 'Asks a model on an Ollama server, which can use tools and analyze images',
    defaults: { name: 'Ollama' },
    inputs: ['main'],
    outputs: ['main'],
    usableAsTool: true,
    subNodes: [{ type: 'ai_tool', displayName: 'Tools', displayOptions: { show: { resource: ['text'] } } }],
    credentials: [{ name: ollamaCredential, required: true }],
    properties,
    icon: 'fa:comment',
  },
  methods: modelMethods({ ...ollamaModels, credential: ollamaCredential }),
  execute: async (context) => [await mapItemsAsync(context, (_, itemIndex) => askOllama(context, itemIndex))],
};
