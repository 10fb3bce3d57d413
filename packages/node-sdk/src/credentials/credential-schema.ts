import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/domain';
import type { NodeProperty, NodePropertyOption } from '../description.ts';

/**
 * JSON Schema 2020-12 of a credential's `data`. Required fields must be present and, if text, not
 * empty. Conditional fields are required only under their condition. `typeOptions: { allowEmpty:
 * true }` permits an empty required text.
 *
 * An absent field has its default value, which editors fill in. The default of a required field is
 * omitted if it is empty and would be rejected.
 */
export function credentialSchema(properties: readonly NodeProperty[]): JsonObject {
  const fields = properties.filter(({ type }) => type !== 'notice');
  const always = fields.filter(({ required, displayOptions }) => required && !displayOptions);
  const onCondition = fields.filter(({ required, displayOptions }) => required && displayOptions);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
    required: always.map(({ name }) => name),
    ...(onCondition.length > 0 && { allOf: onCondition.map((field) => requiredIfShown(field, fields)) }),
  };
}

/** Names of the fields whose values are never shown. */
export function secretFieldsOf(properties: readonly NodeProperty[]): string[] {
  return properties.filter(({ typeOptions }) => typeOptions?.['password'] === true).map(({ name }) => name);
}

function fieldSchema(field: NodeProperty): JsonObject {
  const { displayName, description, typeOptions } = field;
  const secret = typeOptions?.['password'] === true;
  return {
    ...valueSchema(field),
    title: displayName,
    ...(description !== undefined && { description }),
    ...(secret && { writeOnly: true }),
    ...(!secret && !mustBeFilled(field) && { default: field.default }),
  };
}

/** Whether an empty default can be rejected, which may depend on the type or a condition. */
function mustBeFilled({ required = false, default: initial, typeOptions }: NodeProperty): boolean {
  return required && initial === '' && !typeOptions?.['allowEmpty'];
}

function valueSchema(field: NodeProperty): JsonObject {
  const { type, required, displayOptions, options = [], typeOptions = {} } = field;
  switch (type) {
    case 'number': {
      const { minValue, maxValue, numberPrecision } = typeOptions;
      return {
        type: numberPrecision === 0 ? 'integer' : 'number',
        ...(minValue !== undefined && { minimum: minValue }),
        ...(maxValue !== undefined && { maximum: maxValue }),
      };
    }
    case 'boolean':
      return { type: 'boolean' };
    case 'options':
      return { enum: (options as readonly NodePropertyOption[]).map(({ value }) => value) };
    case 'hidden':
      return isJsonObject(field.default) ? { type: 'object' } : { type: 'string' };
    case 'json':
      return { type: ['string', 'object'] };
    default:
      return { type: 'string', ...(required && !displayOptions && !typeOptions['allowEmpty'] && { minLength: 1 }) };
  }
}

function requiredIfShown({ name, type, displayOptions }: NodeProperty, fields: readonly NodeProperty[]): JsonObject {
  const conditions = Object.entries(displayOptions?.show ?? {}).map(([field, values]) => hasOneOf(field, values, fields));
  const exceptions = Object.entries(displayOptions?.hide ?? {}).map(([field, values]) => ({
    not: hasOneOf(field, values, fields),
  }));
  const otherwise = {
    type: 'object',
    required: [name],
    properties: { [name]: type === 'string' ? { type, minLength: 1 } : true },
  };
  return { if: { not: { allOf: [...conditions, ...exceptions] } }, else: otherwise };
}

/** An absent field has its default value. */
function hasOneOf(field: string, values: readonly JsonValue[], fields: readonly NodeProperty[]): JsonObject {
  const initial = fields.find(({ name }) => name === field)?.default;
  const matchesAbsent = initial !== undefined && values.includes(initial);
  return { type: 'object', properties: { [field]: { enum: [...values] } }, ...(!matchesAbsent && { required: [field] }) };
}
