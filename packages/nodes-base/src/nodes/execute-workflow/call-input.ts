import { type ExecuteContext, type Item, isJsonObject, type JsonObject, type JsonValue, ownProperty } from '@sluice/node-sdk';
import { setOwn } from '../../shared/field-path.ts';

/** The items that a workflow is called with: those of the node, with the values that are mapped to declared inputs. */
export function toCallInput(context: ExecuteContext): Item[] {
  return context.items().map((item, itemIndex) => mapped(context, item, itemIndex));
}

/**
 * From version 1.2 on. With a schema, its fields (a missing one null) and all that have a mapped value, in the schema or not; without,
 * all fields, the mapped ones among them.
 */
function mapped(context: ExecuteContext, item: Item, itemIndex: number): Item {
  const mapping = context.typeVersion < 1.2 ? undefined : context.parameter<JsonValue>('workflowInputs', itemIndex);
  if (!isJsonObject(mapping)) return item;
  const values = isJsonObject(mapping['value']) ? mapping['value'] : {};
  const merged: JsonObject = { ...item.json };
  for (const [name, one] of Object.entries(values)) setOwn(merged, name, one);
  const { declared, removed } = schemaOf(mapping);
  const mappedNames = Object.keys(values).filter((name) => !removed.has(name));
  return { ...item, json: declared.length === 0 ? merged : pick(merged, new Set([...declared, ...mappedNames])) };
}

/** Names of the inputs that the mapping knew when it was made, and of those that were taken out of it. */
function schemaOf({ schema }: JsonObject): { declared: string[]; removed: ReadonlySet<string> } {
  const declared: string[] = [];
  const removed = new Set<string>();
  for (const entry of Array.isArray(schema) ? schema.filter((one) => isJsonObject(one)) : []) {
    const name = typeof entry['id'] === 'string' ? entry['id'] : entry['displayName'];
    if (typeof name !== 'string') continue;
    if (entry['removed'] === true) removed.add(name);
    else declared.push(name);
  }
  return { declared, removed };
}

function pick(json: JsonObject, fields: Iterable<string>): JsonObject {
  const picked: JsonObject = {};
  for (const name of fields) setOwn(picked, name, ownProperty(json, name) ?? null);
  return picked;
}
