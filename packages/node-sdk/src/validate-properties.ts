import { propertyTypes } from './description.ts';
import type { ShapeCheck } from './shape-check.ts';

/** Parameters of a node, or fields of a credential. */
export function checkProperties(value: unknown, check: ShapeCheck): void {
  check.list(value, checkProperty);
}

function checkProperty(value: unknown, check: ShapeCheck): void {
  const property = check.object(value);
  if (!property) return;
  check.at('displayName').text(property['displayName']);
  check.at('name').text(property['name']);
  const type = check.at('type').oneOf(property['type'], propertyTypes);
  if (property['default'] === undefined && type !== 'notice') check.at('default').wrong('is missing');
  check.optional(property, 'required', (at, required) => at.boolean(required));
  check.optional(property, 'description', (at, text) => at.text(text, /^/, 'a text'));
  check.optional(property, 'routing', (at, routing) => at.object(routing));
  check.optional(property, 'typeOptions', (at, options) => at.object(options));
  check.optional(property, 'displayOptions', (at, options) => checkDisplayOptions(options, at));
  checkOptions(type, property, check);
}

export function checkDisplayOptions(value: unknown, check: ShapeCheck): void {
  const options = check.object(value);
  if (!options) return;
  for (const key of ['show', 'hide'] as const) {
    check.optional(options, key, (at, conditions) =>
      at.record(conditions, (values, inner) => inner.list(values, () => undefined)),
    );
  }
}

/** What `options` hold depends on the type of the parameter. */
function checkOptions(type: unknown, property: Readonly<Record<string, unknown>>, check: ShapeCheck): void {
  const { options, typeOptions } = property;
  const at = check.at('options');
  switch (type) {
    case 'options':
    case 'multiOptions':
      if (options !== undefined || !loadsOptions(typeOptions)) at.list(options, checkChoice);
      return;
    case 'collection':
      at.list(options, checkProperty);
      return;
    case 'fixedCollection':
      at.list(options, checkGroup);
      return;
    default:
      if (options !== undefined) at.list(options, () => undefined);
  }
}

function loadsOptions(typeOptions: unknown): boolean {
  return typeof typeOptions === 'object' && typeOptions !== null && 'loadOptionsMethod' in typeOptions;
}

function checkChoice(value: unknown, check: ShapeCheck): void {
  const choice = check.object(value);
  if (!choice) return;
  check.at('name').text(choice['name']);
  check.optional(choice, 'routing', (at, routing) => at.object(routing));
  if (!['string', 'number', 'boolean'].includes(typeof choice['value'])) {
    check.at('value').wrong('must be a text, a number, true or false');
  }
}

function checkGroup(value: unknown, check: ShapeCheck): void {
  const group = check.object(value);
  if (!group) return;
  check.at('name').text(group['name']);
  check.at('displayName').text(group['displayName']);
  checkProperties(group['values'], check.at('values'));
}
