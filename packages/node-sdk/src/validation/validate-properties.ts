import { propertyTypes } from '../description.ts';
import type { ShapeCheck } from './shape-check.ts';
import { checkRouting } from './validate-routing.ts';

/** Parameters of a node, or fields of a credential. */
export function checkProperties(value: unknown, check: ShapeCheck): void {
  check.list(value, checkProperty);
}

function checkProperty(value: unknown, check: ShapeCheck): void {
  const property = check.object(value);
  if (!property) return;
  check.at('displayName').text(property['displayName']);
  checkKey(property['name'], check.at('name'));
  const type = check.at('type').oneOf(property['type'], propertyTypes);
  if (property['default'] === undefined && type !== 'notice') check.at('default').wrong('is missing');
  check.optional(property, 'required', (at, required) => at.boolean(required));
  check.optional(property, 'description', (at, text) => at.text(text, /^/, 'a string'));
  check.optional(property, 'routing', checkOptionalRouting);
  check.optional(property, 'typeOptions', checkTypeOptions);
  check.optional(property, 'displayOptions', (at, options) => checkDisplayOptions(options, at));
  checkOptions(type, property, check);
}

/** `null` is treated as absent, as it is within a routing. */
function checkOptionalRouting(check: ShapeCheck, routing: unknown): void {
  if (routing !== null) checkRouting(routing, check);
}

/** The key names a member of the parameters. */
function checkKey(value: unknown, check: ShapeCheck): void {
  check.text(value, /^(?!__proto__$)./s, 'a string that is not empty, and not __proto__');
}

function checkTypeOptions(check: ShapeCheck, value: unknown): void {
  const choices = check.object(value)?.['loadOptions'];
  if (typeof choices !== 'object' || choices === null) return;
  const at = check.at('loadOptions');
  at.optional({ ...choices }, 'routing', checkOptionalRouting);
}

export function checkDisplayOptions(value: unknown, check: ShapeCheck): void {
  const options = check.object(value);
  if (!options) return;
  for (const key of ['show', 'hide'] as const) {
    check.optional(options, key, (at, conditions) => at.record(conditions, (values, inner) => inner.list(values, checkWanted)));
  }
}

/** A pattern that cannot be compiled would make each check of the parameters fail. */
function checkWanted(value: unknown, check: ShapeCheck): void {
  const { _cnd: condition } = (value ?? {}) as { _cnd?: { regex?: unknown } | null };
  if (condition?.regex === undefined) return;
  try {
    new RegExp(String(condition.regex));
  } catch {
    check.wrong('must be a regular expression that can be compiled');
  }
}

/** The content of `options` depends on the parameter's type. */
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
  check.optional(choice, 'routing', checkOptionalRouting);
  if (!['string', 'number', 'boolean'].includes(typeof choice['value'])) {
    check.at('value').wrong('must be a string, a number, true or false');
  }
}

function checkGroup(value: unknown, check: ShapeCheck): void {
  const group = check.object(value);
  if (!group) return;
  checkKey(group['name'], check.at('name'));
  check.at('displayName').text(group['displayName']);
  checkProperties(group['values'], check.at('values'));
}
