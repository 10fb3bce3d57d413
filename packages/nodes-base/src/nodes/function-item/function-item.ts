import type { ExecuteContext, Item, NodeType } from '@sluice/node-sdk';
import { requiredText } from '../../shared/parameters.ts';
import { text } from '../../shared/properties.ts';

/** What came before the Code node for single items: JavaScript that gets an item's JSON as `item` and returns JSON. Files stay. */
export const functionItem: NodeType = {
  description: {
    displayName: 'Function Item',
    name: 'function-item',
    group: ['transform'],
    version: 1,
    description: 'Runs JavaScript once for each item; the predecessor of the Code node',
    defaults: { name: 'Function Item' },
    inputs: ['main'],
    outputs: ['main'],
    properties: [
      text(
        'functionCode',
        'JavaScript Code',
        'A function body that gets `item`, the JSON of the item, and returns the new JSON',
        {
          required: true,
          typeOptions: { editor: 'codeNodeEditor', editorLanguage: 'javaScript' },
        },
      ),
    ],
    icon: 'fa:code',
  },
  execute: async (context) => {
    const source = overJson(requiredText(context, 'functionCode', 0));
    const items = await context.runCode({ source, mode: 'eachItem' });
    return [items.map((item, itemIndex) => withFiles(context, item, itemIndex))];
  },
};

/** `item` is the item to the sandbox, and its JSON to the author. On one line with the code, so that line numbers are the author's. */
function overJson(code: string): string {
  return `item = item.json; return { json: await (async () => { ${code}\n})() };`;
}

function withFiles(context: ExecuteContext, { json }: Item, itemIndex: number): Item {
  const binary = context.items()[itemIndex]?.binary;
  return { json, pairedItem: { item: itemIndex }, ...(binary && { binary }) };
}
