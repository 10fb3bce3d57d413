import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from '@sluice/node-sdk';
import { parseJsonParameter } from '@sluice/nodes-base/node-tools';
import { objectOf, textOf } from '../../shared/json-values.ts';
import { OncePerRun } from '../../shared/once-per-run.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { callModel, type ModelCall } from './odoo-client.ts';

/** The call that describes a model's fields. */
export const fieldsOf = (model: string): ModelCall => ({
  model,
  method: 'fields_get',
  args: [],
  options: { attributes: ['string', 'type'] },
});

const models = new OncePerRun<JsonObject>();

const numeric: ReadonlySet<string> = new Set(['float', 'integer', 'many2one', 'monetary']);
const lists: ReadonlySet<string> = new Set(['many2many', 'one2many']);
/** Text that may stand for a value of another type. */
const isDoubtful = (value: JsonValue): boolean =>
  typeof value === 'string' && /^\s*(-?\d|true\s*$|false\s*$|\[)/i.test(value.slice(0, 100));

/**
 * Field name → value. Text becomes a number, a boolean, or a list if the field of the model has
 * such a type.
 */
export async function typedValues(item: ServiceItem, model: string, values: JsonObject): Promise<JsonObject> {
  if (!Object.values(values).some(isDoubtful)) return values;
  const types = await typesOf(item, model);
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typed(item, name, value, typeIn(types, name))]),
  );
}

/**
 * Like `typedValues`, for a value that a field is compared with; lists of numbers may be separated
 * by commas.
 */
export async function typedOperand(item: ServiceItem, model: string, name: string, value: JsonValue): Promise<JsonValue> {
  if (Array.isArray(value) ? !value.some(isDoubtful) : !isDoubtful(value)) return value;
  const type = typeIn(await typesOf(item, model), name);
  const operandType = lists.has(type) ? 'many2one' : type;
  return Array.isArray(value) ? value.map((one) => typed(item, name, one, operandType)) : typed(item, name, value, operandType);
}

const typesOf = (item: ServiceItem, model: string): Promise<JsonObject> =>
  models.get(item.context, model, async () => objectOf(await callModel(item.context, item.access, fieldsOf(model))));

/** A field of a related record, such as `partner_id.name`, has an unknown type. */
function typeIn(types: JsonObject, name: string): string {
  const described = ownProperty(types, name);
  return isJsonObject(described ?? null) ? textOf(objectOf(described)['type']) : '';
}

function typed(item: ServiceItem, name: string, value: JsonValue, type: string): JsonValue {
  if (typeof value !== 'string') return value;
  const text = value.trim();
  const number = Number(text);
  if (numeric.has(type) && text !== '' && Number.isFinite(number)) return number;
  if (type === 'boolean' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return lists.has(type) && text.startsWith('[') ? parseJsonParameter(name, text, item.index) : value;
}
