import type { JsonObject, JsonValue, NodeProperty } from '@sluice/node-sdk';
import { choice, list, names, namesParameter, options, text } from '@sluice/nodes-base/node-tools';
import type { Operation } from '../../shared/define-service.ts';
import { asText, objectOf, objectsOf } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { Paging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { typedOperand, typedValues } from './field-types.ts';
import { callModel, type ModelCall, requestsOf } from './odoo-client.ts';

/** Operator → the one of the API. Other operators of the API are allowed, too. */
export const operators: ReadonlyMap<string, string> = new Map([
  ['equal', '='],
  ['notEqual', '!='],
  ['greaterThan', '>'],
  ['lessThan', '<'],
  ['greaterOrEqual', '>='],
  ['lesserOrEqual', '<='],
  ['like', 'like'],
  ['ilike', 'ilike'],
  ['in', 'in'],
  ['notIn', 'not in'],
  ['childOf', 'child_of'],
]);
/** Other spellings. */
const synonyms: ReadonlyMap<string, string> = new Map([
  ['greaterThen', '>'],
  ['lesserThan', '<'],
  ['lesserThen', '<'],
]);
const apiOperators: ReadonlySet<string> = new Set([
  ...operators.values(),
  ...['not like', 'not ilike', '=like', '=ilike', '=?', 'parent_of'],
]);
const listOperators: ReadonlySet<string> = new Set(['in', 'not in']);

const field = (name: string) =>
  text(name, 'Field Name or ID', 'Technical name of the field', { typeOptions: { loadOptionsMethod: 'getFields' } });
const shownFields = options([
  names('fieldsList', 'Fields to Include', 'Technical names of the fields to return; default: all', {
    typeOptions: { loadOptionsMethod: 'getFields' },
  }),
]);
const filter: NodeProperty = list('filterRequest', 'Filters', 'filter', [
  field('fieldName'),
  choice('operator', 'Operator', [], { default: 'equal', typeOptions: { loadOptionsMethod: 'getOperators' } }),
  text('value', 'Value', 'Value to compare with; the operators "In" and "Not In" take several, separated by commas', {
    acceptsList: true,
  }),
]);
export const anyFields: NodeProperty = list('fieldsToCreateOrUpdate', 'Fields', 'fields', [
  field('fieldName'),
  text('fieldValue', 'New Value', 'Value of the field; lists of records as commands, such as `[[6, 0, [1, 2]]]`', {
    acceptsList: true,
  }),
]);

/** Records of a model. */
export interface Records {
  /** Name of the model of an item. */
  model(item: ServiceItem): string;
  /** Parameters that name the model. */
  named: readonly NodeProperty[];
  id: NodeProperty;
  noun: string;
  created: readonly NodeProperty[];
  updated: readonly NodeProperty[];
  /** Values of a new record, or of a changed one. */
  values(item: ServiceItem, isNew: boolean): JsonObject;
}

const call = (item: ServiceItem, request: ModelCall) => callModel(item.context, item.access, request);

/** Create, change, read, list, and delete. */
export function operationsOf(records: Records): Readonly<Record<string, Operation>> {
  const { model, named, id, noun, created, updated, values } = records;
  const one = /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`;
  const many = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return {
    create: {
      displayName: 'Create',
      description: `Creates ${one}`,
      properties: [...named, ...created],
      run: async (item) => {
        const record = await typedValues(item, model(item), values(item, true));
        return { id: await call(item, { model: model(item), method: 'create', args: [record] }) };
      },
    },
    delete: {
      displayName: 'Delete',
      description: `Deletes ${one}`,
      properties: [...named, id],
      run: async (item) => {
        await call(item, { model: model(item), method: 'unlink', args: [[recordId(item, id.name)]] });
        return { success: true };
      },
    },
    get: {
      displayName: 'Get',
      description: `Gets ${one}`,
      properties: [...named, id, shownFields],
      run: async (item) => {
        const args = [[recordId(item, id.name)], fieldsIn(item)];
        const [record] = objectsOf(await call(item, { model: model(item), method: 'read', args }));
        if (record) return record;
        throw item.error(`the ${noun} does not exist`, 'Check the ID');
      },
    },
    getAll: {
      displayName: 'Get Many',
      description: `Lists ${many}; all of them are sorted by ID`,
      properties: [...named, ...listPropertiesOf(), filter, shownFields],
      run: (item) => listed(item, model(item)),
    },
    update: {
      displayName: 'Update',
      description: `Changes ${one}; fields that are not set are kept`,
      properties: [...named, id, ...updated],
      run: async (item) => {
        const number = recordId(item, id.name);
        const record = await typedValues(item, model(item), values(item, false));
        await call(item, { model: model(item), method: 'write', args: [[number], record] });
        return { id: number };
      },
    },
  };
}

function recordId(item: ServiceItem, parameter: string): number {
  const id = Number(item.required(parameter).trim());
  if (Number.isSafeInteger(id)) return id;
  throw item.error(`the parameter "${parameter}" is not the ID of a record`, 'Set it to a number such as 42');
}

const fieldsIn = (item: ServiceItem): string[] => namesParameter(item.context, 'options.fieldsList', item.index);

/** Records per request. They may contain images. */
const pageSize = 100;

async function listed(item: ServiceItem, model: string): Promise<JsonObject[]> {
  const limit = item.limit();
  const size = Math.min(limit, pageSize);
  const args = [await domainOf(item, model)];
  // A default order may be ambiguous, and pages would then overlap.
  const options = { fields: fieldsIn(item), limit: size, ...(limit > pageSize && { order: 'id' }) };
  const requestOf = await requestsOf(item.context, item.access);
  const pageAt = (offset: number) => requestOf({ model, method: 'search_read', args, options: { ...options, offset } });
  const pages: Paging = {
    list: 'result',
    next: ({ body }, count) => (objectsOf(objectOf(body)['result']).length < size ? undefined : pageAt(count)),
  };
  return item.list(pageAt(0), pages, limit);
}

/** https://www.odoo.com/documentation/18.0/developer/reference/backend/orm.html#search-domains */
async function domainOf(item: ServiceItem, model: string): Promise<JsonValue[]> {
  const conditions: JsonValue[] = [];
  for (const { fieldName = '', operator = 'equal', value = '' } of item.entries('filterRequest.filter')) {
    const [name, written] = [asText(fieldName).trim(), asText(operator).trim()];
    if (name === '') continue;
    const cached = operators.get(written) ?? synonyms.get(written) ?? written;
    if (!apiOperators.has(cached)) throw item.error('a filter has an unknown operator', 'Choose one from the list');
    const operand = listOperators.has(cached) ? listIn(value) : value;
    const isPattern = cached.includes('like');
    conditions.push([name, cached, isPattern ? operand : await typedOperand(item, model, name, operand)]);
  }
  return conditions;
}

const listIn = (value: JsonValue): JsonValue[] =>
  typeof value === 'string' ? value.split(',').map((one) => one.trim()) : [value].flat();
