import {
  type DataTableAccess,
  type DataTableInfo,
  type ExecuteContext,
  isAppError,
  isJsonObject,
  NodeOperationError,
} from '@sluice/node-sdk';
import { requiredText, textParameter, unsupported } from '../../shared/parameters.ts';

/** Finds the tables that items refer to, each once per run. */
export class TableFinder {
  readonly tables: DataTableAccess;
  readonly #context: ExecuteContext;
  readonly #found = new Map<string, Promise<DataTableInfo>>();

  constructor(context: ExecuteContext) {
    if (!context.dataTables) throw unsupported('using data tables', 'Run the workflow in the service');
    this.tables = context.dataTables;
    this.#context = context;
  }

  /**
   * By the ID or name in `dataTableId`. A list entry from another installation is found by its
   * name.
   */
  async find(itemIndex: number): Promise<DataTableInfo> {
    const context = this.#context;
    const isLocator = isJsonObject(context.parameter('dataTableId', itemIndex));
    const value = requiredText(context, isLocator ? 'dataTableId.value' : 'dataTableId', itemIndex).trim();
    const mode = isLocator ? textParameter(context, 'dataTableId.mode', itemIndex, 'id') : 'id';
    const tableName = mode === 'list' ? textParameter(context, 'dataTableId.cachedResultName', itemIndex) : '';
    const key = JSON.stringify([mode, value, tableName]);
    const table = this.#found.get(key) ?? this.#find(mode, value, tableName);
    this.#found.set(key, table);
    return table;
  }

  async #find(mode: string, value: string, tableName: string): Promise<DataTableInfo> {
    const { signal } = this.#context;
    if (mode === 'name') return this.tables.find({ name: value }, signal);
    try {
      return await this.tables.find({ id: value }, signal);
    } catch (error) {
      if (!isAppError(error) || error.code !== 'NOT_FOUND') throw error;
      if (tableName !== '') return this.tables.find({ name: tableName }, signal);
      throw new NodeOperationError(
        error.message,
        { description: 'Choose a data table of the workflow’s project' },
        'NOT_FOUND',
      );
    }
  }
}
