import type { NodeType } from '@sluice/node-sdk';
import { requiredText } from '../../shared/parameters.ts';
import { text } from '../../shared/properties.ts';

/** What runs where the author left the code as the editor offers it. */
const initialCode = `// Adds a field to each item
for (const item of items) {
  item.json.myNewField = 1;
}

return items;`;

/** What came before the Code node: JavaScript that gets `items` and returns items. It runs as a Code node's does. */
export const functionNode: NodeType = {
  description: {
    displayName: 'Function',
    name: 'function',
    group: ['transform'],
    version: [1, 2],
    description: 'Runs JavaScript once for all items; the predecessor of the Code node',
    defaults: { name: 'Function' },
    inputs: ['main'],
    outputs: ['main'],
    computesOnly: true,
    properties: [
      text('functionCode', 'JavaScript Code', 'A function body that gets `items` and returns items', {
        default: initialCode,
        typeOptions: { editor: 'codeNodeEditor', editorLanguage: 'javaScript' },
      }),
    ],
    icon: 'fa:code',
  },
  execute: async (context) => [
    await context.runCode({ source: requiredText(context, 'functionCode', 0, initialCode), mode: 'allItems' }),
  ],
};
