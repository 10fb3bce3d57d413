import { type ExecuteContext, type Item, type JsonObject, NodeOperationError, type NodeType } from '@sluice/node-sdk';
import { booleanParameter, choiceParameter, numberParameter } from '../../shared/parameters.ts';
import { mapItems } from '../../shared/per-item.ts';
import { assign, readAssignments } from './field-assignments.ts';
import { includedFields, keepsBinary } from './included-fields.ts';
import { withJsonOutput } from './json-output.ts';
import { setProperties, setVersions } from './set-properties.ts';

const maxDuplicates = 1_000;
/** Maximum number of items in a run, including all copies. */
const maxCopies = 100_000;

/**
 * Writes fields into items: one by one with a type each, or as a JSON object over the kept input
 * fields.
 */
export const set: NodeType = {
  description: {
    displayName: 'Edit Fields (Set)',
    name: 'set',
    group: ['input'],
    version: setVersions,
    description: 'Sets, changes, and removes fields of items',
    defaults: { name: 'Edit Fields' },
    inputs: ['main'],
    outputs: ['main'],
    computesOnly: true,
    properties: setProperties,
    icon: 'fa:pen',
    iconColor: 'blue',
    subtitle: '={{ $parameter["mode"] }}',
  },
  execute: async (context) => [
    await mapItems(context, (item, itemIndex) => duplicated(context, itemIndex, editItem(context, item, itemIndex))),
  ],
};

function editItem(context: ExecuteContext, item: Item, itemIndex: number): Item {
  const edited: Item = { json: editJson(context, item.json, itemIndex), pairedItem: { item: itemIndex } };
  if (item.binary && keepsBinary(context, itemIndex)) edited.binary = item.binary;
  return edited;
}

function editJson(context: ExecuteContext, json: JsonObject, itemIndex: number): JsonObject {
  const base = includedFields(context, itemIndex, json);
  const isRaw = context.typeVersion >= 3 && choiceParameter(context, 'mode', itemIndex, ['manual', 'raw'], 'manual') === 'raw';
  if (isRaw) return withJsonOutput(context, itemIndex, base);
  return assign(context, itemIndex, base, readAssignments(context, itemIndex));
}

/**
 * Copies are test data: they are only created in manual runs, so that a forgotten switch does no
 * harm in production.
 */
function duplicated(context: ExecuteContext, itemIndex: number, item: Item): Item | Item[] {
  if (context.execution.mode !== 'manual' || context.typeVersion < 3) return item;
  if (!booleanParameter(context, 'duplicateItem', itemIndex, false)) return item;
  const count = numberParameter(context, 'duplicateCount', itemIndex, 0);
  if (count < 0 || count > maxDuplicates) {
    throw new NodeOperationError(`the parameter "duplicateCount" must be between 0 and ${maxDuplicates}`, {
      itemIndex,
      description: 'Set the number of copies to add to each item',
    });
  }
  const copies = Math.floor(count) + 1;
  if (copies > 1 && copies * context.items().length > maxCopies) {
    throw new NodeOperationError(`the node would return more than ${maxCopies} items`, {
      itemIndex,
      description: 'Lower "duplicateCount", or give the node fewer items',
    });
  }
  return Array.from({ length: copies }, () => item);
}
