import type { ExecuteContext, NodeProperty, NodeType } from '@sluice/node-sdk';
import { choiceParameter, requiredText, unsupported } from '../../shared/parameters.ts';

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
  const language = choiceParameter(context, 'language', 0, ['javaScript', 'python', 'pythonNative'], 'javaScript');
  if (language !== 'javaScript') throw unsupported('Python in Code nodes', 'Write the code in JavaScript');
  const mode = choiceParameter(context, 'mode', 0, ['runOnceForAllItems', 'runOnceForEachItem'], 'runOnceForAllItems');
  return {
    source: requiredText(context, 'jsCode', 0, initialCode[mode]),
    mode: mode === 'runOnceForAllItems' ? 'allItems' : 'eachItem',
  };
}
