import {
  Access,
  allRows,
  type DataRow,
  type DataTableRepository,
  type DataTableRowRepository,
  isStatementTimeout,
  type RowBatch,
  type RowStep,
} from '@sluice/db';
import { untilAvailable, type WorkflowId } from '@sluice/domain';
import { type DataTableAccess, NodeOperationError } from '@sluice/node-sdk';

export interface DataTableRepositories {
  dataTables: DataTableRepository;
  dataTableRows: DataTableRowRepository;
}

/**
 * The data tables that nodes of a workflow may use: those of its project. The project is read for each
 * use, as for credentials: the workflow may be moved while it runs or waits (ADR 11).
 */
export function workflowDataTables(
  { dataTables, dataTableRows }: DataTableRepositories,
  workflowId: WorkflowId,
): DataTableAccess {
  const projectOf = () => dataTables.projectOf(workflowId);
  const access = async () => new Access([await projectOf()]);
  return {
    find: (by, signal) =>
      untilAvailable(
        async () => ('id' in by ? dataTables.get(by.id, await access()) : dataTables.getByName(await projectOf(), by.name)),
        signal,
      ),
    create: async (name, columns) => dataTables.create(await projectOf(), name, columns),
    rename: async (tableId, name) => dataTables.rename(tableId, await access(), name),
    delete: async (tableId) => void (await dataTables.delete(tableId, await access())),
    list: (name, signal) => untilAvailable(async () => dataTables.list(await access(), { name }, { limit: 250 }), signal),
    rows: (tableId, filter, page, signal) =>
      inTime(async () => dataTableRows.list(tableId, await access(), filter, page), signal),
    insert: async (tableId, rows) => dataTableRows.insert(tableId, await access(), rows),
    update: (tableId, filter, values, signal) =>
      allStored(signal, async (step) =>
        dataTableRows.updateBatch({ tableId, access: await access(), filter, values, ...step }),
      ),
    upsert: (tableId, filter, values, signal) =>
      allStored(signal, async (step) =>
        dataTableRows.upsertBatch({ tableId, access: await access(), filter, values, ...step }),
      ),
    preview: (tableId, change, signal) => inTime(async () => dataTableRows.preview(tableId, await access(), change), signal),
    deleteRows: (tableId, filter, signal) =>
      allStored(signal, async (step) => dataTableRows.deleteBatch({ tableId, access: await access(), filter, ...step })),
  };
}

/** The rows of all steps of a change. Each step is repeated while the database is unreachable. */
function allStored(
  signal: AbortSignal,
  run: (step: Required<Pick<RowStep, 'after' | 'write'>>) => Promise<RowBatch>,
): Promise<DataRow[]> {
  return allRows((after) => {
    const step = { after, write: {} };
    return inTime(() => run(step), signal);
  });
}

/** How often a statement may take too long: the database may be busy, or the filter too slow for the table. */
const maxTimeouts = 3;

/** As `untilAvailable`, but a statement that always takes too long is not repeated without end. */
function inTime<T>(operation: () => Promise<T>, signal: AbortSignal): Promise<T> {
  let timeouts = 0;
  const counted = async () => {
    try {
      return await operation();
    } catch (error) {
      timeouts += isStatementTimeout(error) ? 1 : 0;
      if (timeouts === maxTimeouts) throw tookTooLong(error);
      throw error;
    }
  };
  return untilAvailable(counted, signal);
}

function tookTooLong(cause: unknown): NodeOperationError {
  const description = 'Filter by "equals", which uses an index, or keep fewer rows in the table';
  return new NodeOperationError('the database took too long to find the rows of the data table', { description, cause });
}
