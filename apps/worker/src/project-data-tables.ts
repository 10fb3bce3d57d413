import { Access, allRows, type DataTableRepository, type DataTableRowRepository } from '@sluice/db';
import { untilAvailable } from '@sluice/domain';
import type { DataTableAccess } from '@sluice/node-sdk';

export interface DataTableRepositories {
  dataTables: DataTableRepository;
  dataTableRows: DataTableRowRepository;
}

/** The data tables of one project, for nodes. */
export function projectDataTables({ dataTables, dataTableRows }: DataTableRepositories, projectId: string): DataTableAccess {
  const access = new Access([projectId]);
  return {
    find: (by, signal) =>
      untilAvailable(() => ('id' in by ? dataTables.get(by.id, access) : dataTables.getByName(projectId, by.name)), signal),
    create: (name, columns) => dataTables.create(projectId, name, columns),
    rename: (tableId, name) => dataTables.rename(tableId, access, name),
    delete: async (tableId) => void (await dataTables.delete(tableId, access)),
    list: (name, signal) => untilAvailable(() => dataTables.list(access, { name }, { limit: 250 }), signal),
    rows: (tableId, filter, page, signal) => untilAvailable(() => dataTableRows.list(tableId, access, filter, page), signal),
    insert: (tableId, rows) => dataTableRows.insert(tableId, access, rows),
    update: (tableId, filter, values, signal) =>
      allRows((after) => untilAvailable(() => dataTableRows.updateBatch(tableId, access, { filter, values }, after), signal)),
    upsert: (tableId, filter, values, signal) =>
      allRows((after) => untilAvailable(() => dataTableRows.upsertBatch(tableId, access, { filter, values }, after), signal)),
    preview: (tableId, change, signal) => untilAvailable(() => dataTableRows.preview(tableId, access, change), signal),
    deleteRows: (tableId, filter, signal) =>
      allRows((after) => untilAvailable(() => dataTableRows.deleteBatch(tableId, access, filter, after), signal)),
  };
}
