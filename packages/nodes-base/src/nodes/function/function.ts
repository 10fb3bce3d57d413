import type { NodeType } from '@sluice/node-sdk';
import { requiredText } from '../../shared/parameters.ts';
import { failureOfAllOrThrow } from '../../shared/per-item-async.ts';
import { text } from '../../shared/properties.ts';

/** The editor's initial code, used if the author does not change it. */
const initialCode = `// Adds a field to each item
for (const item of items) {
  item.json.myNewField = 1;
}

return items;`;

/**
 * Predecessor of the Code node: JavaScript that receives `items` and returns items. It runs like a
 * Code node, but returns an item with the error if it fails and continues.
 */
export const functionNode: NodeType = {
  description: {
    displayName: 'Function',
    name: 'function',
    deprecated: true,
    group: ['transform'],
    version: [1, 2],
    description: 'Runs JavaScript once for all items; the predecessor of the Code node',
    defaults: { name: 'Function' },
    inputs: ['main'],
    outputs: ['main'],
    computesOnly: true,
    properties: [
      text('functionCode', 'JavaScript Code', 'A function body that receives `items` and returns items', {
        default: initialCode,
        typeOptions: { editor: 'codeNodeEditor', editorLanguage: 'javaScript' },
      }),
    ],
    icon: 'fa:code',
  },
  execute: async (context) => {
    const source = requiredText(context, 'functionCode', 0, initialCode);
    return [
      await context.runCode({ source, mode: 'allItems' }).catch((error: unknown) => [failureOfAllOrThrow(context, error)]),
    ];
  },
};
