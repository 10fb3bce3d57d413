import type { ExecuteContext, NodeType } from '@sluice/node-sdk';
import { choiceParameter, requiredText, unsupported } from '../../shared/parameters.ts';

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
      {
        displayName: 'JavaScript',
        name: 'jsCode',
        type: 'string',
        default: '',
        required: true,
        typeOptions: { editor: 'codeNodeEditor', editorLanguage: 'javaScript' },
        description: 'A function body that returns the items',
      },
    ],
    icon: 'fa:code',
  },
  execute: async (context) => [await context.runCode(readRequest(context))],
};

function readRequest(context: ExecuteContext): Parameters<ExecuteContext['runCode']>[0] {
  const language = choiceParameter(context, 'language', 0, ['javaScript', 'python', 'pythonNative'], 'javaScript');
  if (language !== 'javaScript') throw unsupported('Python in Code nodes', 'Write the code in JavaScript');
  const mode = choiceParameter(context, 'mode', 0, ['runOnceForAllItems', 'runOnceForEachItem'], 'runOnceForAllItems');
  return { source: requiredText(context, 'jsCode', 0), mode: mode === 'runOnceForAllItems' ? 'allItems' : 'eachItem' };
}
