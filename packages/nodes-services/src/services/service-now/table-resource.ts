import type { JsonObject, NodeProperty } from '@sluice/node-sdk';
import { collection } from '@sluice/nodes-base/node-tools';
import type { Operation, Resource } from '../../shared/define-service.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { listed, listOptions, queryOf, readOptions, recordId, recordPath, resultOf, tablePath } from './service-now-client.ts';

/** A kind of record with its own table. */
export interface Kind {
  table: string;
  displayName: string;
  /** With article, such as `a user`. */
  one: string;
  plural?: string;
  fields: readonly NodeProperty[];
}

const pluralOf = ({ displayName, plural }: Pick<Kind, 'displayName' | 'plural'>): string =>
  (plural ?? `${displayName}s`).toLowerCase();

const getAll = (kind: Pick<Kind, 'table' | 'displayName' | 'plural'>): Operation => ({
  displayName: 'Get Many',
  description: `Lists ${pluralOf(kind)}`,
  properties: listOptions,
  run: (item) => listed(item, tablePath(kind.table), queryOf(item)),
});

/** A kind of record that is only listed. */
export const listOnly = (displayName: string, table: string, plural?: string): Resource => ({
  displayName,
  operations: { getAll: getAll({ displayName, table, ...(plural !== undefined && { plural }) }) },
});

/**
 * Create, change, read, list, and delete. `created`: parameters of a new record besides its
 * additional fields.
 */
export function tableResource(
  kind: Kind,
  created: readonly NodeProperty[] = [],
  more: Record<string, Operation> = {},
): Resource {
  const { table, displayName, one, fields } = kind;
  const id = recordId(displayName);
  const path = (item: ServiceItem) => recordPath(table, item.id('id'));
  return {
    displayName,
    operations: {
      create: {
        displayName: 'Create',
        description: `Creates ${one}`,
        properties: [...created, collection('additionalFields', 'Additional Fields', [...created, ...fields])],
        run: (item) => {
          const own = created.map(({ name }): JsonObject => (item.text(name) === '' ? {} : { [name]: item.text(name) }));
          const json = Object.assign({}, ...own, item.fields('additionalFields')) as JsonObject;
          return resultOf(item, { path: tablePath(table), json });
        },
      },
      delete: {
        displayName: 'Delete',
        description: `Deletes ${one}`,
        properties: [id],
        run: (item) => item.perform({ method: 'DELETE', path: path(item) }),
      },
      get: {
        displayName: 'Get',
        description: `Gets ${one}`,
        properties: [id, readOptions],
        run: (item) => resultOf(item, { path: path(item), query: queryOf(item) }),
      },
      getAll: getAll(kind),
      update: {
        displayName: 'Update',
        description: `Changes ${one}; fields that are not set are kept`,
        properties: [id, collection('updateFields', 'Update Fields', [...created, ...fields])],
        run: (item) => resultOf(item, { method: 'PATCH', path: path(item), json: item.fields('updateFields') }),
      },
      ...more,
    },
  };
}
