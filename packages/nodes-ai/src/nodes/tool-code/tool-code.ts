import {
  type ExecuteContext,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type NodeType,
  ownProperty,
  type Tool,
} from '@sluice/node-sdk';
import {
  booleanParameter,
  choice,
  choices,
  refuseUnsupported,
  requiredText,
  stringOf,
  text,
  textParameter,
  toggle,
  when,
} from '@sluice/nodes-base/node-tools';
import { inputSchemaOf, schemaProperties } from '../../shared/input-schema.ts';
import { toolName } from '../../shared/tool-name.ts';

const unsupportedUses = [
  { parameter: 'language', values: ['python'], what: 'Python in a tool', hint: 'Write the code in JavaScript' },
];

/** JavaScript that an agent runs, in the sandbox. */
export const toolCode: NodeType = {
  description: {
    displayName: 'Code Tool',
    name: 'tool-code',
    group: ['transform'],
    version: [1, 1.1, 1.2, 1.3],
    description: 'Lets an agent run JavaScript that you write',
    defaults: { name: 'Code Tool' },
    inputs: [],
    outputs: ['ai_tool'],
    properties: [
      text('name', 'Name', 'Name of the tool for the model', when([1, 1.1])),
      text('description', 'Description', 'When the model should use the tool'),
      choice('language', 'Language', choices(['javaScript', 'JavaScript'], ['python', 'Python', 'Not supported'])),
      text('jsCode', 'JavaScript', 'A function body that returns text; `query` has the input', {
        default: '// Example: convert the incoming query to uppercase and return it\nreturn query.toUpperCase();',
        typeOptions: { editor: 'jsEditor' },
      }),
      text('pythonCode', 'Python', 'Not supported', { displayOptions: { show: { language: ['python'] } } }),
      toggle('specifyInputSchema', 'Specify Input Schema', 'Whether the input is an object, which you describe'),
      ...schemaProperties({ specifyInputSchema: [true] }),
    ],
    computesOnly: true,
    icon: 'fa:code',
  },
  unsupported: unsupportedUses,
  supply: (context, itemIndex) => codeTool(context, itemIndex),
};

function codeTool(context: ExecuteContext, itemIndex: number): Tool {
  refuseUnsupported(context, unsupportedUses, itemIndex);
  const takesObject = booleanParameter(context, 'specifyInputSchema', itemIndex, false);
  const code = requiredText(context, 'jsCode', itemIndex, 'return query.toUpperCase();');
  return {
    name: toolName(textParameter(context, 'name', itemIndex) || context.node.name),
    description: textParameter(context, 'description', itemIndex),
    inputSchema: takesObject ? inputSchemaOf(context, itemIndex) : textInput,
    run: (input) => run(context, code, takesObject || !isJsonObject(input) ? input : (ownProperty(input, 'query') ?? '')),
  };
}

const textInput: JsonObject = {
  type: 'object',
  properties: { query: { type: 'string', description: 'the input of the tool' } },
  required: ['query'],
};

async function run(context: ExecuteContext, code: string, query: JsonValue): Promise<JsonValue> {
  const source = `const query = ${JSON.stringify(query)};
const tool = async () => {
${code}
};
return [{ json: { response: await tool() } }];`;
  const [item] = await context.runCode({ source, mode: 'allItems' });
  const response = item?.json['response'] ?? null;
  return typeof response === 'number' || typeof response === 'boolean' ? stringOf(response) : response;
}
