import type { ExecuteContext, NodeProperty, NodeType, UnsupportedUse } from '@sluice/node-sdk';
import { choiceParameter, refuseUnsupported, requiredText } from '../../shared/parameters.ts';

/** What runs where the author left the code as the editor offers it. */
const initialCode = {
  runOnceForAllItems: `// Adds a field to each item
for (const item of $input.all()) {
  item.json.myNewField = 1;
}

return $input.all();`,
  runOnceForEachItem: `// Adds a field to the item
$input.item.json.myNewField = 1;

return $input.item;`,
};

const unsupportedUses: readonly UnsupportedUse[] = [
  {
    parameter: 'language',
    values: ['python', 'pythonNative'],
    what: 'Python in Code nodes',
    hint: 'Write the code in JavaScript',
  },
];

/** The author's JavaScript, run in the sandbox over the items of input 0. A failure is the node's as a whole: the code may have seen all items. */
export const code: NodeType = {
  description: {
    displayName: 'Code',
    name: 'code',
    group: ['transform'],
    version: [1, 2],
    description: 'Runs JavaScript over the items, isolated from the service and the network',
    defaults: { name: 'Code' },
    inputs: ['main'],
    outputs: ['main'],
    computesOnly: true,
    properties: [
      {
        displayName: 'Mode',
        name: 'mode',
        type: 'options',
        default: 'runOnceForAllItems',
        options: [
          { name: 'Run Once for All Items', value: 'runOnceForAllItems', description: 'One call that sees all items' },
          { name: 'Run Once for Each Item', value: 'runOnceForEachItem', description: 'One call per item' },
        ],
      },
      {
        displayName: 'Language',
        name: 'language',
        type: 'options',
        default: 'javaScript',
        displayOptions: { show: { '@version': [2] } },
        options: [
          { name: 'JavaScript', value: 'javaScript' },
          { name: 'Python', value: 'pythonNative', description: 'Not supported' },
        ],
      },
      jsCode('runOnceForAllItems', 'A function body that returns the items'),
      jsCode('runOnceForEachItem', 'A function body that returns the item'),
    ],
    icon: 'fa:code',
  },
  unsupported: unsupportedUses,
  execute: async (context) => [await context.runCode(readRequest(context))],
};

function jsCode(mode: keyof typeof initialCode, description: string): NodeProperty {
  return {
    displayName: 'JavaScript',
    name: 'jsCode',
    type: 'string',
    default: initialCode[mode],
    displayOptions: { show: { mode: [mode] } },
    typeOptions: { editor: 'codeNodeEditor', editorLanguage: 'javaScript' },
    description,
  };
}

function readRequest(context: ExecuteContext): Parameters<ExecuteContext['runCode']>[0] {
  refuseUnsupported(context, unsupportedUses, 0);
  choiceParameter(context, 'language', 0, ['javaScript'], 'javaScript');
  const mode = choiceParameter(context, 'mode', 0, ['runOnceForAllItems', 'runOnceForEachItem'], 'runOnceForAllItems');
  return {
    source: requiredText(context, 'jsCode', 0, initialCode[mode]),
    mode: mode === 'runOnceForAllItems' ? 'allItems' : 'eachItem',
  };
}
