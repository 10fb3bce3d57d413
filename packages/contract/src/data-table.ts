import { dataColumnTypes, dataConditions } from '@sluice/domain';
import { nameFilter, pageOf, pageQuery, projectFilter } from './page.ts';
import { type Static, Type } from './schema-builder.ts';
import {
  dictionary,
  jsonObject,
  messageKeyword,
  nameText,
  noOthers,
  oneOf,
  storableText,
  timestamp,
  withExample,
} from './schema-helpers.ts';

const filterExample = { type: 'and', filters: [{ columnName: 'email', condition: 'eq', value: 'ada@example.com' }] };
const valuesExample = { email: 'ada@example.com', age: 36 };

/** Maximum number of rows that one request inserts. */
const maxInsertedRows = 1_000;

const columnName = Type.String({
  pattern: '^[A-Za-z][A-Za-z0-9_]{0,62}$',
  [messageKeyword]: 'must start with a letter and have 1 to 63 letters, digits and "_"',
});
const columnType = oneOf(dataColumnTypes, { description: '`date`: a time, stored as ISO 8601 in UTC' });

export const addDataColumnBody = withExample(Type.Object({ name: columnName, type: columnType }), {
  name: 'age',
  type: 'number',
});
export const renameDataColumnBody = withExample(Type.Object({ name: columnName }), { name: 'years' });

export const dataColumnView = withExample(
  Type.Object({ id: Type.String(), name: Type.String(), type: oneOf(dataColumnTypes) }, { title: 'DataTableColumn' }),
  { id: '17', name: 'age', type: 'number' },
);

export const createDataTableBody = withExample(
  Type.Object({
    projectId: Type.Optional(storableText),
    name: nameText,
    columns: Type.Array(addDataColumnBody, { default: [], maxItems: 1_000 }),
  }),
  {
    name: 'Customers',
    columns: [
      { name: 'email', type: 'string' },
      { name: 'age', type: 'number' },
    ],
  },
);
export type CreateDataTableBody = Static<typeof createDataTableBody>;

export const renameDataTableBody = withExample(Type.Object({ name: nameText }), { name: 'Clients' });

export const dataTableView = Type.Object(
  {
    id: Type.String(),
    projectId: Type.String(),
    name: Type.String(),
    columns: Type.Array(dataColumnView, {
      description: 'in the order of their creation; every table also has `id`, `createdAt`, and `updatedAt`',
    }),
    rowCount: Type.Integer(),
    bytes: Type.Integer({ description: 'size of the rows, which counts toward the project’s quota' }),
    createdAt: timestamp,
    updatedAt: timestamp,
  },
  { title: 'DataTable' },
);
export type DataTableView = Static<typeof dataTableView>;

export const dataTablePage = pageOf(dataTableView);
export const listDataTablesQuery = Type.Object({
  ...pageQuery,
  name: nameFilter,
  projectId: projectFilter,
});
export type ListDataTablesQuery = Static<typeof listDataTablesQuery>;

export const dataTableFilter = withExample(
  Type.Object(
    {
      type: oneOf(['and', 'or'], { description: '`and`: rows that match all conditions; `or`: at least one of them' }),
      filters: Type.Array(
        Type.Object(
          {
            columnName: Type.String({ maxLength: 63 }),
            condition: oneOf(dataConditions, {
              description: '`like`, `ilike` (ignores case): `%` matches any string, `_` one character',
            }),
            value: Type.Optional(
              Type.Unsafe<string | number | boolean | null>({
                type: ['string', 'number', 'boolean', 'null'],
                description:
                  'a value of the column type, or null; required, except for `isEmpty`, `isNotEmpty`, `isTrue`, and `isFalse`',
              }),
            ),
          },
          noOthers,
        ),
        { minItems: 1, maxItems: 100 },
      ),
    },
    { title: 'DataTableFilter', ...noOthers },
  ),
  filterExample,
);

const rowValues = Type.Unsafe<Static<typeof jsonObject>>({ ...jsonObject, description: 'column → value' });

export const dataRowView = withExample(
  dictionary(Type.Unsafe<string | number | boolean | null>({ type: ['string', 'number', 'boolean', 'null'] }), {
    description: '`id`, `createdAt`, `updatedAt`, and the value of each column',
  }),
  { id: 1, createdAt: '2026-11-20T09:30:00.000Z', updatedAt: '2026-11-20T09:30:00.000Z', ...valuesExample },
);
export const dataRowPage = pageOf(dataRowView);

const filterText = Type.String({
  maxLength: 8_192,
  description: 'a `DataTableFilter` as JSON',
  examples: ['{"type":"and","filters":[{"columnName":"age","condition":"gte","value":18}]}'],
});
export const listDataRowsQuery = Type.Object({
  ...pageQuery,
  filter: Type.Optional(filterText),
  sortBy: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z][A-Za-z0-9_]{0,62}:(asc|desc)$',
      [messageKeyword]: 'must be the name of a column and `:asc` or `:desc`',
      description: 'column and direction; strings are ordered by their first 100 characters, and empty values come last',
      examples: ['age:desc'],
    }),
  ),
});
export type ListDataRowsQuery = Static<typeof listDataRowsQuery>;

export const deleteDataRowsQuery = Type.Object({ filter: filterText });

export const insertDataRowsBody = withExample(
  Type.Object({
    data: Type.Array(rowValues, { minItems: 1, maxItems: maxInsertedRows, description: 'rows; all are inserted, or none' }),
  }),
  { data: [valuesExample] },
);

export const changeDataRowsBody = withExample(Type.Object({ filter: dataTableFilter, data: rowValues }), {
  filter: filterExample,
  data: valuesExample,
});
export type ChangeDataRowsBody = Static<typeof changeDataRowsBody>;

export const insertedDataRows = Type.Object({ data: Type.Array(dataRowView) });

/** Maximum number of rows in the response to a change. */
export const maxShownRows = 250;
const count = Type.Integer({ description: 'rows that were changed' });
const firstRows = Type.Array(dataRowView, {
  description: `the first ${maxShownRows} changed rows, after the change; fewer if they exceed about 4 MB`,
});

export const changedDataRows = Type.Object({ count, data: firstRows });
export const upsertedDataRows = Type.Object({
  count,
  inserted: Type.Boolean({ description: 'true: no row matched the filter, and a row was inserted' }),
  data: firstRows,
});
export const deletedDataRows = Type.Object({ count: Type.Integer({ description: 'rows that were deleted' }) });
