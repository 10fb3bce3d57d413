import { type ExecuteContext, type Item, type JsonObject, NodeOperationError, ownProperty } from '@sluice/node-sdk';
import { setOwn } from '../../shared/field-path.ts';
import { choiceParameter, listParameter, objectParameter } from '../../shared/parameters.ts';

/**
 * The caller's items, reduced to the declared inputs: missing inputs are null, undeclared fields
 * are omitted. Values are unchanged: types are checked where the caller maps values to inputs.
 * Without declared inputs, items are unchanged.
 */
export function calledItems(context: ExecuteContext): Item[] {
  const names = context.typeVersion < 1.1 ? undefined : declaredNames(context);
  if (!names) return [...context.items()];
  return context.items().map((item) => ({ ...item, json: declared(item.json, names) }));
}

/** `undefined`: all data is accepted. */
function declaredNames(context: ExecuteContext): string[] | undefined {
  const source = choiceParameter(context, 'inputSource', 0, ['workflowInputs', 'jsonExample', 'passthrough'], 'workflowInputs');
  if (source === 'passthrough') return undefined;
  if (source === 'jsonExample') return Object.keys(objectParameter(context, 'jsonExample', 0));
  const names = listParameter(context, 'workflowInputs.values', 0).map(nameOf);
  return names.length > 0 ? names : undefined;
}

function nameOf({ name }: JsonObject): string {
  if (typeof name === 'string' && name !== '') return name;
  throw new NodeOperationError('each workflow input needs a name', { description: 'Name the input or remove it' });
}

function declared(json: JsonObject, names: readonly string[]): JsonObject {
  const result: JsonObject = {};
  for (const name of names) setOwn(result, name, ownProperty(json, name) ?? null);
  return result;
}
