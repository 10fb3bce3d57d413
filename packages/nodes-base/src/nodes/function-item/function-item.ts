import type { NodeType } from '@sluice/node-sdk';
import { requiredText } from '../../shared/parameters.ts';
import { text } from '../../shared/properties.ts';

/** The editor's initial code, used if the author does not change it. */
const initialCode = `// Adds a field to the item
item.myNewField = 1;

return item;`;

/**
 * Predecessor of the Code node for single items: JavaScript that receives an item's JSON as `item`
 * and returns JSON. Files are kept.
 */
export const functionItem: NodeType = {
  description: {
    displayName: 'Function Item',
    name: 'function-item',
    deprecated: true,
    group: ['transform'],
    version: 1,
    description: 'Runs JavaScript once for each item; the predecessor of the Code node',
    defaults: { name: 'Function Item' },
    inputs: ['main'],
    outputs: ['main'],
    computesOnly: true,
    properties: [
      text(
        'functionCode',
        'JavaScript Code',
        'A function body that receives the item’s JSON as `item` and returns the new JSON',
        {
          default: initialCode,
          typeOptions: { editor: 'codeNodeEditor', editorLanguage: 'javaScript' },
        },
      ),
    ],
    icon: 'fa:code',
  },
  execute: async (context) => [
    await context.runCode({ source: requiredText(context, 'functionCode', 0, initialCode), mode: 'functionItem' }),
  ],
};
