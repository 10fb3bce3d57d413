import {
  Access,
  type DataRow,
  type DataRowChange,
  type DataTableRepository,
  type DataTableRowRepository,
  isStatementTimeout,
  type PreviewBatch,
  type RowBatch,
  type RowStep,
  rowBatches,
} from '@sluice/db';
import { type DataFilter, untilAvailable, type WorkflowId } from '@sluice/domain';
import { bytesOfRow, type DataTableAccess, maxResultBytes, NodeOperationError } from '@sluice/node-sdk';

const every: DataFilter = { type: 'and', filters: [] };

export interface DataTableRepositories {
  dataTables: DataTableRepository;
  dataTableRows: DataTableRowRepository;
}

/**
 * The data tables that a workflow's nodes may use: its project's tables. The project is read for
 * each use, as for credentials: the workflow may be moved while it runs or waits (ADR 11).
 * `maxBytes`: maximum size of the rows that an operation keeps.
 */
export function workflowDataTables(
  { dataTables, dataTableRows }: DataTableRepositories,
  workflowId: WorkflowId,
  maxBytes = maxResultBytes,
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
    async rows(tableId, filter, { after = 0, limit }, signal) {
      const page = { after: { key: null, id: after }, limit };
      const { rows, next } = await inTime(async () => dataTableRows.page(tableId, await access(), filter, page), signal);
      return { rows, next: next?.id ?? null };
    },
    insert(tableId, rows, signal) {
      const write = {};
      return untilAvailable(async () => dataTableRows.insert(tableId, await access(), rows, write), signal);
    },
    update: (tableId, filter, values, signal) =>
      changedRows(
        steps(signal, async (step) => dataTableRows.updateBatch({ tableId, access: await access(), filter, values, ...step })),
        maxBytes,
      ),
    upsert: (tableId, filter, values, signal) =>
      changedRows(
        steps(signal, async (step) => dataTableRows.upsertBatch({ tableId, access: await access(), filter, values, ...step })),
        maxBytes,
      ),
    preview: (tableId, change, signal) =>
      previewed(
        steps(signal, async ({ after }) => dataTableRows.previewBatch({ tableId, access: await access(), ...change, after })),
        maxBytes,
      ),
    async clear(tableId, signal) {
      const deletions = steps(signal, async (step) =>
        dataTableRows.deleteBatch({ tableId, access: await access(), filter: every, ...step }),
      );
      while (!(await deletions.next()).done);
    },
    deleteRows: (tableId, filter, signal) =>
      changedRows(
        steps(signal, async (step) => dataTableRows.deleteBatch({ tableId, access: await access(), filter, ...step })),
        maxBytes,
      ),
  };
}

/** Runs all steps of an operation. Each is repeated while the database is unreachable. */
function steps<T extends RowBatch | PreviewBatch>(
  signal: AbortSignal,
  run: (step: Required<Pick<RowStep, 'after' | 'write'>>) => Promise<T>,
): AsyncGenerator<T> {
  return rowBatches((after) => {
    const step = { after, write: {} };
    return inTime(() => run(step), signal);
  });
}

/** Returns the rows of a change. A change whose rows are too large is completed before it fails. */
async function changedRows(batches: AsyncIterable<RowBatch>, maxBytes: number): Promise<DataRow[]> {
  let keptRows: DataRow[] = [];
  let [count, bytes] = [0, 0];
  for await (const { rows } of batches) {
    count += rows.length;
    if (bytes > maxBytes) continue;
    for (const row of rows) bytes += bytesOfRow(row);
    if (bytes > maxBytes) keptRows = [];
    else for (const row of rows) keptRows.push(row);
  }
  if (bytes <= maxBytes) return keptRows;
  throw tooLarge(
    `all ${count} rows were changed or deleted, but they are larger than ${sizeText(maxBytes)} and cannot be output`,
    'Do not repeat the change; to output the rows, use conditions that match fewer rows, in several nodes',
  );
}

async function previewed(batches: AsyncIterable<PreviewBatch>, maxBytes: number): Promise<DataRowChange[]> {
  const collected: DataRowChange[] = [];
  let bytes = 0;
  for await (const { changes } of batches) {
    for (const { before, after } of changes) bytes += bytesOfRow(after) + (before ? bytesOfRow(before) : 0);
    if (bytes > maxBytes)
      throw tooLarge(
        `the rows of the dry run are larger than ${sizeText(maxBytes)}`,
        'No row was changed; use conditions that match fewer rows',
      );
    for (const change of changes) collected.push(change);
  }
  return collected;
}

function sizeText(bytes: number): string {
  return `${bytes / 1024 / 1024} MiB`;
}

function tooLarge(message: string, description: string): NodeOperationError {
  return new NodeOperationError(message, { description }, 'RESULT_TOO_LARGE');
}

/**
 * How often a statement may time out: the database may be busy, or the filter too slow for the
 * table.
 */
const maxTimeouts = 3;

/** Like `untilAvailable`, but a statement that always times out is not repeated forever. */
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
