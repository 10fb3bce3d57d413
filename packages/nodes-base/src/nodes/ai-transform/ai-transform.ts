import type { NodeType } from '@sluice/node-sdk';
import { requiredText } from '../../shared/parameters.ts';
import { text } from '../../shared/properties.ts';

/** Code that a model wrote from instructions in an editor. It is run; no model is asked. */
export const aiTransform: NodeType = {
  description: {
    displayName: 'AI Transform',
    name: 'ai-transform',
    group: ['transform'],
    version: 1,
    description: 'Runs JavaScript that was generated from instructions, as a Code node does, once for all items',
    defaults: { name: 'AI Transform' },
    inputs: ['main'],
    outputs: ['main'],
    computesOnly: true,
    properties: [
      text('instructions', 'Instructions', 'What the code does; for readers only'),
      text(
        'codeGeneratedForPrompt',
        'Code Generated for Prompt',
        'The instructions that the code was made from; for readers only',
      ),
      text('jsCode', 'Generated JavaScript', 'A function body that returns the items', {
        required: true,
        typeOptions: { editor: 'codeNodeEditor', editorLanguage: 'javaScript' },
      }),
    ],
    icon: 'fa:code',
  },
  execute: async (context) => [await context.runCode({ source: requiredText(context, 'jsCode', 0), mode: 'allItems' })],
};
