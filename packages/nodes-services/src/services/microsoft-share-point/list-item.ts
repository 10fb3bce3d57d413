import { isAppError, isJsonObject, type JsonObject, type JsonValue, type NodeProperty } from '@sluice/node-sdk';
import { text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { asText, objectOf } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import { mappedColumns, matchingValue } from '../../shared/mapped-columns.ts';
import { graphPages, odataText } from '../../shared/microsoft-graph.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { itemPath, list, listItem, listPath, part, selected, shown, site } from './share-point-client.ts';

const columns: NodeProperty = {
  displayName: 'Columns',
  name: 'columns',
  type: 'json',
  default: { mappingMode: 'defineBelow', value: {} },
  description:
    'A resource mapper: `mappingMode` is `defineBelow` (columns from `value`) or `autoMapInputData` (columns from the item); `matchingColumns` find an existing item: `id`, or other columns',
};
const simple = [
  ...['contentType', 'createdDateTime', 'createdBy', 'fields', 'id', 'lastModifiedDateTime', 'lastModifiedBy'],
  ...['parentReference', 'webUrl'],
];
const expanded = { $expand: 'fields' };
/** SharePoint refuses conditions on columns without an index otherwise. */
const headers = { prefer: 'HonorNonIndexedQueriesWarningMayFailRandomly' };

/** https://learn.microsoft.com/graph/api/resources/listitem */
export const item: Resource = {
  displayName: 'Item',
  initial: 'getAll',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates an item of a list',
      properties: [site, list, columns],
      run: (node) => created(node, mappedColumns(node, 'columns', ['id']).values),
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes an item',
      properties: [site, list, listItem],
      run: (node) => node.perform({ method: 'DELETE', path: itemPath(node) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets an item',
      properties: [site, list, listItem, ...shown],
      run: (node) => node.send({ path: itemPath(node), query: { ...expanded, ...selected(node, simple) } }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the items of a list',
      properties: [
        site,
        list,
        ...listPropertiesOf(),
        text('filter', 'Filter by Formula', "Condition in OData, such as `fields/Title eq 'Open'`"),
        ...shown,
      ],
      run(node) {
        const query = { ...expanded, ...selected(node, simple), $filter: node.optional('filter') };
        return node.list({ path: `${listPath(node)}/items`, query, headers }, graphPages);
      },
    },
    update: {
      displayName: 'Update',
      description: 'Changes an item; columns that are not set are kept',
      properties: [site, list, columns],
      run(node) {
        const { values } = mappedColumns(node);
        const { id: _, ...fields } = values;
        return changed(node, asText(matchingValue(node, values, 'id')), fields);
      },
    },
    upsert: {
      displayName: 'Create or Update',
      description: 'Changes the item with the values of the matching columns, or creates it',
      properties: [site, list, columns],
      run: upsert,
    },
  },
};

const created = (node: ServiceItem, fields: JsonObject) => node.send({ path: `${listPath(node)}/items`, json: { fields } });

/** Resolves to the columns of the item, with its ID. */
async function changed(node: ServiceItem, id: string, fields: JsonObject): Promise<JsonObject> {
  const path = `${listPath(node)}/items/${part(id)}/fields`;
  return { id, fields: objectOf(await node.send({ method: 'PATCH', path, json: fields })) };
}

async function upsert(node: ServiceItem): Promise<JsonValue | undefined> {
  const { values, matching } = mappedColumns(node);
  const { id, ...fields } = values;
  const isById = matching.length === 0 || matching.includes('id');
  const existingId = isById ? asText(id) : await matchingId(node, values, matching);
  if (existingId === '') return created(node, fields);
  try {
    return await changed(node, existingId, fields);
  } catch (error) {
    if (isById && isMissing(error)) return created(node, fields);
    throw error;
  }
}

const isMissing = (error: unknown): boolean =>
  isAppError(error) && isJsonObject(error.details) && error.details['status'] === 404;

/** ID of the only item with these values; empty if there is none. */
async function matchingId(node: ServiceItem, values: JsonObject, matching: readonly string[]): Promise<string> {
  const conditions = matching.map(
    (name) => `fields/${columnName(node, name)} eq ${literal(matchingValue(node, values, name))}`,
  );
  const query = { $filter: conditions.join(' and '), $select: 'id', $top: 2 };
  const [first, second] = await node.list({ path: `${listPath(node)}/items`, query, headers }, graphPages, 2);
  if (second)
    throw node.error('several items have the values of the matching columns', 'Choose columns that are unique together');
  return asText(first?.['id']);
}

/** A name is part of the condition, so it must be a name. */
function columnName(node: ServiceItem, name: string): string {
  if (/^\w{1,255}$/.test(name)) return name;
  throw node.error('a matching column has an invalid name', 'Use internal names, such as Title or Due_x0020_Date');
}

const literal = (value: JsonValue): string =>
  typeof value === 'number' || typeof value === 'boolean' ? asText(value) : odataText(asText(value));
