import type { ExecuteContext, NodeProperty, NodeType } from '@sluice/node-sdk';
import { choiceParameter, requiredText } from '../../shared/parameters.ts';
import { choice, choices, text, when, where } from '../../shared/properties.ts';

type Mode = 'runOnceForAllItems' | 'runOnceForEachItem';
type Language = 'javaScript' | 'python' | 'pythonNative';

const modes: readonly Mode[] = ['runOnceForAllItems', 'runOnceForEachItem'];
const languages: readonly Language[] = ['javaScript', 'python', 'pythonNative'];

/** The editor's initial code, used if the author does not change it. */
const initialCode: Record<Language, Record<Mode, string>> = {
  javaScript: {
    runOnceForAllItems: `// Adds a field to each item
for (const item of $input.all()) {
  item.json.myNewField = 1;
}

return $input.all();`,
    runOnceForEachItem: `// Adds a field to the item
$input.item.json.myNewField = 1;

return $input.item;`,
  },
  python: {
    runOnceForAllItems: `# Adds a field to each item
for item in _input.all():
  item.json.myNewField = 1

return _input.all()`,
    runOnceForEachItem: `# Adds a field to the item
_input.item.json.myNewField = 1

return _input.item`,
  },
  pythonNative: {
    runOnceForAllItems: `# Adds a field to each item
for item in _items:
  item["json"]["my_new_field"] = 1

return _items`,
    runOnceForEachItem: `# Adds a field to the item
_item["json"]["my_new_field"] = 1

return _item`,
  },
};

/**
 * The author's JavaScript or Python, run in the sandbox over the items of input 0. A failure
 * applies to the whole node: the code may have read all items.
 */
export const code: NodeType = {
  description: {
    displayName: 'Code',
    name: 'code',
    group: ['transform'],
    version: [1, 2],
    description: 'Runs JavaScript or Python on the items, isolated from the service and the network',
    defaults: { name: 'Code' },
    inputs: ['main'],
    outputs: ['main'],
    computesOnly: true,
    properties: [
      choice(
        'mode',
        'Mode',
        choices(
          ['runOnceForAllItems', 'Run Once for All Items', 'One call for all items'],
          ['runOnceForEachItem', 'Run Once for Each Item', 'One call per item'],
        ),
      ),
      choice(
        'language',
        'Language',
        choices(
          ['javaScript', 'JavaScript'],
          ['pythonNative', 'Python', 'Has `_items` or `_item`'],
          ['python', 'Python (legacy names)', 'Has `_input`, `_json`, `_node`, `_now` and others'],
        ),
        when([2]),
      ),
      ...modes.flatMap((mode) => languages.map((language) => codeProperty(language, mode))),
    ],
    icon: 'fa:code',
  },
  execute: async (context) => [await context.runCode(readRequest(context))],
};

function codeProperty(language: Language, mode: Mode): NodeProperty {
  const isPython = language !== 'javaScript';
  const result = mode === 'runOnceForAllItems' ? 'items' : 'item';
  return text(
    isPython ? 'pythonCode' : 'jsCode',
    isPython ? 'Python' : 'JavaScript',
    `A function body that returns the ${result}`,
    {
      default: initialCode[language][mode],
      ...(isPython ? when([2], { language: [language], mode: [mode] }) : where({ mode: [mode] })),
      typeOptions: { editor: 'codeNodeEditor', editorLanguage: isPython ? 'python' : 'javaScript' },
    },
  );
}

function readRequest(context: ExecuteContext): Parameters<ExecuteContext['runCode']>[0] {
  const language = choiceParameter(context, 'language', 0, languages, 'javaScript');
  const mode = choiceParameter(context, 'mode', 0, modes, 'runOnceForAllItems');
  const parameter = language === 'javaScript' ? 'jsCode' : 'pythonCode';
  return {
    source: requiredText(context, parameter, 0, initialCode[language][mode]),
    ...(language !== 'javaScript' && { language }),
    mode: mode === 'runOnceForAllItems' ? 'allItems' : 'eachItem',
  };
}
