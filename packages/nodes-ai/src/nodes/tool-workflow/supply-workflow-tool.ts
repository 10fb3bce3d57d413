import {
  type ExecuteContext,
  fromAiSchema,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownProperty,
  type Tool,
} from '@sluice/node-sdk';
import { booleanParameter, textParameter } from '@sluice/nodes-base/node-tools';
import { declaredInput, fieldsInput } from '../../shared/called-item.ts';
import { calledItems } from '../../shared/called-workflow.ts';
import { inputSchemaOf } from '../../shared/input-schema.ts';
import { toolName } from '../../shared/tool-name.ts';

const textInput: JsonObject = {
  type: 'object',
  properties: { query: { type: 'string', description: 'the input of the tool' } },
  required: ['query'],
};

/** The workflow as a tool. */
export async function supplyWorkflowTool(context: ExecuteContext, itemIndex: number): Promise<Tool> {
  return {
    name: toolName(textParameter(context, 'name', itemIndex) || context.node.name),
    description: textParameter(context, 'description', itemIndex),
    inputSchema: await schemaOf(context, itemIndex),
    run: (input) => call(context, isJsonObject(input) ? input : {}, itemIndex),
  };
}

async function schemaOf(context: ExecuteContext, itemIndex: number): Promise<JsonObject> {
  if (context.typeVersion >= 2) {
    const schema = await fromAiSchema(workflowInputsOf(context));
    return Object.keys(schema['properties'] as JsonObject).length > 0 || hasInputs(context) ? schema : textInput;
  }
  return booleanParameter(context, 'specifyInputSchema', itemIndex, false) ? inputSchemaOf(context, itemIndex) : textInput;
}

function workflowInputsOf({ node }: ExecuteContext): JsonObject {
  const inputs = ownProperty(node.parameters, 'workflowInputs');
  return isJsonObject(inputs) ? inputs : {};
}

/** Whether values are assigned to inputs, even if the model does not choose any. */
function hasInputs(context: ExecuteContext): boolean {
  const value = ownProperty(workflowInputsOf(context), 'value');
  return isJsonObject(value) && Object.keys(value).length > 0;
}

async function call(context: ExecuteContext, input: JsonObject, itemIndex: number): Promise<JsonValue> {
  const { typeVersion } = context;
  const sent = typeVersion < 2 ? fieldsInput(context, input, itemIndex) : await declaredInput(context, input, itemIndex);
  const json = await calledItems(context, sent, itemIndex);
  if (typeVersion < 2) {
    const field = textParameter(context, 'responsePropertyName', itemIndex, 'response');
    const value = json.length > 0 ? ownProperty(json.at(-1) as JsonObject, field) : undefined;
    if (value !== undefined) return value;
  }
  return json.length === 1 ? (json[0] as JsonObject) : json;
}
