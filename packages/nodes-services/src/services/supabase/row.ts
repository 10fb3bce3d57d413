import { type JsonObject, type JsonValue, type NodeProperty, ownProperty } from '@sluice/node-sdk';
import { choice, choiceParameter, choices, list, names, namesParameter, text, where } from '@sluice/nodes-base/node-tools';
import type { ApiRequest } from '../../shared/api-client.ts';
import type { Resource } from '../../shared/define-service.ts';
import { asText } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { Paging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { conditionQuery, filterQuery, requiredFilter } from './row-filter.ts';

const loaded = (name: string, displayName: string, method: string, description: string): NodeProperty => ({
  displayName,
  name,
  type: 'options',
  default: '',
  typeOptions: { loadOptionsMethod: method },
  description,
});

const tableId = text('tableId', 'Table', 'Name of the table or view', {
  required: true,
  typeOptions: { loadOptionsMethod: 'getTables' },
});
const column = (name: string) => loaded(name, 'Column', 'getColumns', 'Name of the column');

const dataProperties: readonly NodeProperty[] = [
  choice('dataToSend', 'Data to Send', choices(['defineBelow', 'Define Below'], ['autoMapInputData', 'Auto-Map Input Data'])),
  names(
    'inputsToIgnore',
    'Inputs to Ignore',
    'Fields of the item that are not written',
    where({ dataToSend: ['autoMapInputData'] }),
  ),
  list(
    'fieldsUi',
    'Fields',
    'fieldValues',
    [column('fieldId'), text('fieldValue', 'Value', 'Value of the column', { acceptsList: true })],
    {
      ...where({ dataToSend: ['defineBelow'] }),
    },
  ),
];

const conditions = choices(
  ['eq', 'Equals'],
  ['fullText', 'Full-Text'],
  ['gt', 'Greater Than'],
  ['gte', 'Greater Than or Equal'],
  ['ilike', 'ILIKE Operator'],
  ['is', 'Is'],
  ['like', 'LIKE Operator'],
  ['lt', 'Less Than'],
  ['lte', 'Less Than or Equal'],
  ['neq', 'Not Equals'],
);
const searches = choices(
  ['fts', 'to_tsquery'],
  ['plfts', 'plainto_tsquery'],
  ['phfts', 'phraseto_tsquery'],
  ['wfts', 'websearch_to_tsquery'],
);
const kinds = choices(['none', 'None'], ['manual', 'Build Manually'], ['string', 'String']);

function filterProperties(kindChoices: typeof kinds): readonly NodeProperty[] {
  return [
    choice('filterType', 'Select Type', kindChoices, { default: 'manual' }),
    choice('matchType', 'Must Match', choices(['anyFilter', 'Any Select Condition'], ['allFilters', 'All Select Conditions']), {
      ...where({ filterType: ['manual'] }),
    }),
    list(
      'filters',
      'Select Conditions',
      'conditions',
      [
        column('keyName'),
        choice('condition', 'Condition', conditions),
        choice('searchFunction', 'Search Function', searches),
        text('keyValue', 'Value', 'Value to compare with'),
      ],
      where({ filterType: ['manual'] }),
    ),
    text('filterString', 'Filters (String)', 'Conditions of PostgREST, such as `name=eq.Ada&age=gt.30`', {
      ...where({ filterType: ['string'] }),
    }),
  ];
}

export const row: Resource = {
  displayName: 'Row',
  initial: 'create',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a row',
      properties: [tableId, ...dataProperties],
      run: (item) => changed(item, { method: 'POST', json: rowOf(item) }),
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes rows',
      properties: [tableId, ...filterProperties(kinds.slice(1))],
      run: (item) => changed(item, { method: 'DELETE', query: requiredFilter(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets the rows with these values',
      properties: [
        tableId,
        list('filters', 'Select Conditions', 'conditions', [
          column('keyName'),
          text('keyValue', 'Value', 'Value of the column'),
        ]),
      ],
      run: (item) => {
        const query = conditionQuery(item, 'and');
        if (Object.keys(query).length === 0) throw item.error('there is no condition for the rows', 'Add a condition');
        return item.send({ ...inTable(item, 'accept-profile'), query });
      },
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists rows',
      properties: [tableId, ...listPropertiesOf(), ...filterProperties(kinds)],
      run: (item) => {
        const limit = item.limit();
        const query = { ...filterQuery(item), limit: Math.min(limit, pageSize) };
        return item.list({ ...inTable(item, 'accept-profile'), query }, pages, limit);
      },
    },
    update: {
      displayName: 'Update',
      description: 'Changes rows',
      properties: [tableId, ...filterProperties(kinds.slice(1)), ...dataProperties],
      run: (item) => changed(item, { method: 'PATCH', query: requiredFilter(item), json: rowOf(item) }),
    },
  },
};

const pageSize = 1_000;

/**
 * A project may return fewer rows at a time than requested, so only an empty page is the last one.
 */
const pages: Paging = {
  list: '',
  next: ({ body }, count) => (Array.isArray(body) && body.length > 0 ? { query: { offset: count } } : undefined),
};

function inTable(item: ServiceItem, profile: 'accept-profile' | 'content-profile'): Pick<ApiRequest, 'path' | 'headers'> {
  const schema = item.toggle('useCustomSchema') ? item.text('schema', 'public') : '';
  return {
    path: `/${encodeURIComponent(item.required('tableId'))}`,
    headers: { ...(schema !== '' && { [profile]: schema }) },
  };
}

/** Sends a change; resolves to the changed rows. */
function changed(item: ServiceItem, request: Omit<ApiRequest, 'path'>): Promise<JsonValue | undefined> {
  const { path, headers } = inTable(item, 'content-profile');
  return item.send({ ...request, path, headers: { ...headers, prefer: 'return=representation' } });
}

function rowOf(item: ServiceItem): JsonObject {
  const kind = choiceParameter(item.context, 'dataToSend', item.index, ['defineBelow', 'autoMapInputData'], 'defineBelow');
  if (kind === 'defineBelow') {
    const values = item.entries('fieldsUi.fieldValues');
    return Object.fromEntries(
      values.map(({ fieldId = '', fieldValue = null }): [string, JsonValue] => [asText(fieldId), fieldValue]),
    );
  }
  const { json = {} } = item.context.items()[item.index] ?? {};
  const ignored = new Set(namesParameter(item.context, 'inputsToIgnore', item.index));
  return Object.fromEntries(
    Object.keys(json).flatMap((name): [string, JsonValue][] =>
      ignored.has(name) ? [] : [[name, ownProperty(json, name) ?? null]],
    ),
  );
}
