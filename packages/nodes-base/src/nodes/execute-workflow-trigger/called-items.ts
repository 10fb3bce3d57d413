import {
  type ExecuteContext,
  type Item,
  type JsonObject,
  type JsonValue,
  NodeOperationError,
  ownProperty,
} from '@sluice/node-sdk';
import { convertValue, type FieldType } from '../../shared/convert-value.ts';
import { setOwn } from '../../shared/field-path.ts';
import { choiceParameter, describeValue, listParameter, objectParameter } from '../../shared/parameters.ts';

interface Input {
  name: string;
  type: FieldType | 'any';
}

const types = ['any', 'string', 'number', 'boolean', 'array', 'object'] as const;

/**
 * The caller's items, reduced to the declared inputs: missing inputs are null, undeclared fields
 * are omitted. Without declared inputs, items are unchanged.
 */
export function calledItems(context: ExecuteContext): Item[] {
  const inputs = context.typeVersion < 1.1 ? undefined : declaredInputs(context);
  if (!inputs?.length) return [...context.items()];
  return context.items().map((item, itemIndex) => ({ ...item, json: declared(item.json, inputs, itemIndex) }));
}

/** `undefined`: all data are accepted. */
function declaredInputs(context: ExecuteContext): Input[] | undefined {
  const source = choiceParameter(context, 'inputSource', 0, ['workflowInputs', 'jsonExample', 'passthrough'], 'workflowInputs');
  switch (source) {
    case 'passthrough':
      return undefined;
    case 'jsonExample':
      return Object.entries(objectParameter(context, 'jsonExample', 0)).map(([name, value]) => ({ name, type: typeOf(value) }));
    case 'workflowInputs':
      return listParameter(context, 'workflowInputs.values', 0).map(toInput);
  }
}

function toInput({ name, type }: JsonObject): Input {
  if (typeof name !== 'string' || name === '')
    throw new NodeOperationError('each workflow input needs a name', { description: 'Name the input or remove it' });
  return { name, type: types.find((known) => known === type) ?? 'string' };
}

function typeOf(value: JsonValue): Input['type'] {
  if (value === null) return 'any';
  if (Array.isArray(value)) return 'array';
  return types.find((type) => type === typeof value) ?? 'any';
}

function declared(json: JsonObject, inputs: readonly Input[], itemIndex: number): JsonObject {
  const result: JsonObject = {};
  for (const { name, type } of inputs) {
    const value = ownProperty(json, name) ?? null;
    const converted = value === null || type === 'any' ? value : convertValue(value, type);
    if (converted === undefined) throw wrongInput(name, type, value, itemIndex);
    setOwn(result, name, converted);
  }
  return result;
}

function wrongInput(name: string, type: string, value: JsonValue, itemIndex: number): NodeOperationError {
  const message = `the workflow input "${name}" must be of type ${type}, but is ${describeValue(value)}`;
  return new NodeOperationError(message, {
    itemIndex,
    description: 'Change the data from the calling workflow, or the type of the input.',
  });
}
