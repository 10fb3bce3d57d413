import {
  type ExecuteContext,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  NodeOperationError,
  type NodeType,
} from '@sluice/node-sdk';
import { FieldEditor, type FieldPath, parseFieldPath, readField } from '../../shared/field-path.ts';
import { booleanParameter, listParameter, numberParameter, textParameter } from '../../shared/parameters.ts';
import { mapItems } from '../../shared/per-item.ts';
import { atLeast, list, number, options, text, toggle } from '../../shared/properties.ts';
import { compileUserReplacer, type RegexReplacer } from '../../shared/user-regex.ts';

interface Rename {
  from: FieldPath;
  to: FieldPath;
}

interface KeyReplacement {
  replace: RegexReplacer;
  /** Levels of objects and lists below the item's own keys that are renamed; -1: all levels. */
  depth: number;
}

/** Deeper objects keep their keys. */
const maxDepth = 200;

export const renameKeys: NodeType = {
  description: {
    displayName: 'Rename Keys',
    name: 'rename-keys',
    group: ['transform'],
    version: 1,
    description: 'Renames fields of items',
    defaults: { name: 'Rename Keys' },
    inputs: ['main'],
    outputs: ['main'],
    computesOnly: true,
    properties: [
      list('keys', 'Keys', 'key', [
        text('currentKey', 'Current Key Name', 'Field to rename; dots separate nested fields'),
        text('newKey', 'New Key Name', 'New name; dots separate nested fields'),
      ]),
      {
        displayName: 'Additional Options',
        name: 'additionalOptions',
        type: 'collection',
        default: {},
        options: [
          list('regexReplacement', 'Regex', 'replacements', [
            text('searchRegex', 'Regular Expression', 'Pattern to find in field names, in RE2 syntax'),
            text('replaceRegex', 'Replace With', 'Replacement; `$1` is the first group'),
            options([
              toggle('caseInsensitive', 'Case Insensitive', 'Whether to ignore case'),
              atLeast(-1, number('depth', 'Max Depth', -1, 'Number of nested levels of objects and lists to rename; -1: all')),
            ]),
          ]),
        ],
      },
    ],
    icon: 'fa:edit',
  },
  execute: async (context) => [
    await mapItems(context, (item, itemIndex) => ({
      ...item,
      json: renamed(item.json, readRenames(context, itemIndex), readReplacements(context, itemIndex)),
      pairedItem: { item: itemIndex },
    })),
  ],
};

/** An entry without one of its two names renames nothing. */
function readRenames(context: ExecuteContext, itemIndex: number): Rename[] {
  return listParameter(context, 'keys.key', itemIndex).flatMap((_, index) => {
    const name = (key: string) => textParameter(context, `keys.key.${index}.${key}`, itemIndex);
    const [from, to] = [name('currentKey'), name('newKey')];
    return from === '' || to === '' ? [] : [{ from: parseFieldPath(from), to: parseFieldPath(to) }];
  });
}

function readReplacements(context: ExecuteContext, itemIndex: number): KeyReplacement[] {
  const entries = listParameter(context, 'additionalOptions.regexReplacement.replacements', itemIndex);
  return entries.map((_, index) => {
    const path = `additionalOptions.regexReplacement.replacements.${index}`;
    const pattern = textParameter(context, `${path}.searchRegex`, itemIndex);
    const replacement = textParameter(context, `${path}.replaceRegex`, itemIndex);
    const ignoreCase = booleanParameter(context, `${path}.options.caseInsensitive`, itemIndex, false);
    return {
      replace: compileUserReplacer(pattern, replacement, `replacement ${index + 1}`, ignoreCase, 'first'),
      depth: numberParameter(context, `${path}.options.depth`, itemIndex, -1),
    };
  });
}

function renamed(json: JsonObject, renames: readonly Rename[], replacements: readonly KeyReplacement[]): JsonObject {
  const moved = new FieldEditor(json);
  for (const rename of renames) move(moved, json, rename);
  return replacements.reduce((object, replacement) => withReplacedKeys(object, replacement, 0), moved.json);
}

/** Moves a value of the original item. A missing field or an unchanged name changes nothing. */
function move(moved: FieldEditor, original: JsonObject, { from, to }: Rename): void {
  const value = readField(original, from);
  if (value === undefined || from.join('\0') === to.join('\0')) return;
  moved.remove(from).set(to, value);
}

function withReplacedKeys(object: JsonObject, replacement: KeyReplacement, level: number): JsonObject {
  if (level > maxDepth)
    throw new NodeOperationError(`the item is nested more than ${maxDepth} objects deep`, {
      description: 'Extract the part that you need first',
    });
  const result = new Map(Object.entries(object));
  // A renamed field replaces a field of the same name.
  const usedKeys = new Set<string>();
  for (const [key, value] of Object.entries(object)) {
    const name = replacement.replace(key);
    if (name === key && usedKeys.has(key)) continue;
    if (name !== key && !usedKeys.has(key)) result.delete(key);
    if (name !== key) usedKeys.add(name);
    result.set(name, inner(value, replacement, level + 1));
  }
  return Object.fromEntries(result);
}

function inner(value: JsonValue, replacement: KeyReplacement, level: number): JsonValue {
  if (replacement.depth >= 0 && level > replacement.depth) return value;
  if (Array.isArray(value)) return value.map((element) => inner(element, replacement, level + 1));
  return isJsonObject(value) ? withReplacedKeys(value, replacement, level) : value;
}
