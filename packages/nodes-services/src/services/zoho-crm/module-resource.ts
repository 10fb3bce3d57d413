import type { JsonObject, JsonValue, NodeProperty } from '@sluice/node-sdk';
import { choice, choices, names, namesParameter, options, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Operation, Resource } from '../../shared/define-service.ts';
import { objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import { OncePerRun } from '../../shared/once-per-run.ts';
import { onePage, type Paging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { additional, fieldProperties, fieldValue, productDetails, productLines, recordIn, updated } from './record-values.ts';
import { detailsOf, recordsOf } from './zoho-client.ts';

/** A module. */
export interface Module {
  /** API name: `Sales_Orders`. */
  name: string;
  displayName: string;
  /** Parameter with the ID. */
  id: string;
  /** Parameter of a new record → its field. */
  required: Readonly<Record<string, string>>;
  fields: readonly string[];
  /** Field with the products. */
  lines?: string;
}

/** Create, change, read, list, and delete. */
export function moduleResource(module: Module, more: Readonly<Record<string, Operation>> = {}): Resource {
  const { name, displayName, required, lines } = module;
  const noun = displayName.toLowerCase();
  const one = /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`;
  const id = text(module.id, `${displayName} ID`, `ID of the ${noun}`, { required: true });
  const fields = fieldProperties(module.fields);
  const ownFields = Object.entries(required).map(([parameter, field]) =>
    text(parameter, field.replaceAll('_', ' '), `Field \`${field}\` of the ${noun}`, { required: true }),
  );
  const details: NodeProperty[] = lines === undefined ? [] : [productDetails];
  const created = [...ownFields, ...details, additional(fields)];
  return {
    displayName,
    operations: {
      create: {
        displayName: 'Create',
        description: `Creates ${one}`,
        properties: created,
        run: async (item) => detailsOf(await item.send({ path: `/${name}`, json: { data: [newRecord(item, module)] } })),
      },
      upsert: {
        displayName: 'Create or Update',
        description: `Creates ${one}, or changes the one with the same unique fields`,
        properties: created,
        run: async (item) => detailsOf(await item.send({ path: `/${name}/upsert`, json: { data: [newRecord(item, module)] } })),
      },
      delete: {
        displayName: 'Delete',
        description: `Deletes ${one}`,
        properties: [id],
        run: (item) => item.perform({ method: 'DELETE', path: pathOf(item, module) }),
      },
      get: {
        displayName: 'Get',
        description: `Gets ${one}`,
        properties: [id],
        async run(item) {
          const [record] = recordsOf(await item.send({ path: pathOf(item, module) }));
          if (record) return record;
          throw item.error(`the ${noun} does not exist`, 'Check the ID');
        },
      },
      getAll: {
        displayName: 'Get Many',
        description: `Lists ${name.replaceAll('_', ' ').toLowerCase()}`,
        properties: listProperties,
        run: (item) => listed(item, name),
      },
      update: {
        displayName: 'Update',
        description: `Changes ${one}; fields that are not set are kept`,
        properties: [id, ...details, updated([...updatable(module), ...fields])],
        run: async (item) => {
          const json = { data: [{ ...recordIn(item, 'updateFields', ownNames(module)), ...linesOf(item, module) }] };
          return detailsOf(await item.send({ method: 'PUT', path: pathOf(item, module), json }));
        },
      },
      ...more,
    },
  };
}

const pathOf = (item: ServiceItem, { name, id }: Module): string => `/${name}/${encodeURIComponent(item.id(id).trim())}`;

/** Fields with the name of the record itself, which other modules refer to. */
const ownNames = ({ name }: Module): ReadonlySet<string> => new Set([nameFields[name] ?? '']);
const nameFields: Readonly<Record<string, string>> = {
  Accounts: 'Account_Name',
  Deals: 'Deal_Name',
  Products: 'Product_Name',
  Vendors: 'Vendor_Name',
};

/** Required fields of a new record, which a change may set. */
const updatable = ({ required, fields }: Module): NodeProperty[] =>
  Object.values(required)
    .filter((field) => !fields.includes(field))
    .map((field) => text(field, field.replaceAll('_', ' '), `Field \`${field}\` of the record`));

function newRecord(item: ServiceItem, module: Module): JsonObject {
  const own = Object.entries(module.required).map(([parameter, field]): [string, JsonValue] => {
    return [field, fieldValue(item, field, item.required(parameter), ownNames(module))];
  });
  return { ...Object.fromEntries(own), ...recordIn(item, 'additionalFields', ownNames(module)), ...linesOf(item, module) };
}

function linesOf(item: ServiceItem, { lines }: Module): JsonObject {
  const products = lines === undefined ? [] : productLines(item);
  return lines !== undefined && products.length > 0 ? { [lines]: products } : {};
}

const listProperties: readonly NodeProperty[] = [
  ...listPropertiesOf(),
  options([
    text('converted', 'Converted', 'Whether to return converted leads: `true`, `false`, or `both`'),
    names('fields', 'Fields', 'API names of the fields to return, at most 50; default: the first 50', {
      typeOptions: { loadOptionsMethod: 'getFields' },
    }),
    toggle('include_child', 'Include Child', 'Whether to return records of child territories, too'),
    choice('sort_by', 'Sort By', choices(['id', 'ID'], ['Created_Time', 'Created Time'], ['Modified_Time', 'Modified Time'])),
    choice('sort_order', 'Sort Order', choices(['desc', 'Descending'], ['asc', 'Ascending'])),
    text('territory_id', 'Territory ID', 'ID of the territory'),
  ]),
];

/** Maximum number of records per page, and of fields per request. */
const pageSize = 200;
const maxFields = 50;

const pages: Paging = {
  list: 'data',
  next({ body }) {
    const { more_records: hasMore, next_page_token: token } = objectOf(objectOf(body)['info']);
    return hasMore === true && textOf(token) !== '' ? { query: { page_token: textOf(token) } } : undefined;
  },
};

async function listed(item: ServiceItem, module: string): Promise<JsonObject[]> {
  const limit = item.limit();
  const { fields: _, ...query } = item.fields('options');
  const chosen = namesParameter(item.context, 'options.fields', item.index);
  const fields = chosen.length > 0 ? chosen : await fieldNames(item, module);
  const request = { path: `/${module}`, query: { ...query, fields: fields.join(), per_page: Math.min(limit, pageSize) } };
  return item.list(request, pages, limit);
}

const modules = new OncePerRun<readonly string[]>();

/** Names of a module's first fields: a list must name its fields. */
const fieldNames = (item: ServiceItem, module: string): Promise<readonly string[]> =>
  modules.get(item.context, module, async () => {
    const body = await item.send({ path: '/settings/fields', query: { module } });
    const names = objectsOf(objectOf(body)['fields']).map(({ api_name: name }) => textOf(name));
    return names.filter((name) => name !== '').slice(0, maxFields);
  });

/** Metadata of a module's fields. */
export const getFields = (module: string): Operation => ({
  displayName: 'Get Fields',
  description: 'Lists the fields of the module',
  properties: [],
  run: (item) => item.list({ path: '/settings/fields', query: { module } }, onePage('fields'), Number.POSITIVE_INFINITY),
});
