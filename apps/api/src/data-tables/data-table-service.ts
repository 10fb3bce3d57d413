import type { CreateDataTableBody, ListDataTablesQuery } from '@sluice/contract';
import type { DataTable, DataTableRepository, ProjectRepository } from '@sluice/db';
import { type DataColumn, NotFoundError } from '@sluice/domain';
import type { Caller } from '../auth/caller.ts';
import { type Page, pageByCreation } from '../paging/page.ts';

interface DataTableServiceOptions {
  dataTables: DataTableRepository;
  projects: Pick<ProjectRepository, 'get'>;
}

/** Members of a project read its data tables; `project:editor` changes them. */
export class DataTableService {
  readonly #options: DataTableServiceOptions;

  constructor(options: DataTableServiceOptions) {
    this.#options = options;
  }

  list(query: ListDataTablesQuery, caller: Caller): Promise<Page<DataTable>> {
    const access = caller.access['project:viewer'];
    return pageByCreation('dataTables', query, (page) => this.#options.dataTables.list(access, query, page));
  }

  async get(id: string, caller: Caller): Promise<DataTable> {
    return this.#options.dataTables.get(id, caller.access['project:viewer']);
  }

  async create(body: CreateDataTableBody, caller: Caller): Promise<DataTable> {
    const { projectId = caller.personalProjectId, name, columns } = body;
    await this.#options.projects.get(projectId, caller.access['project:editor']);
    return this.#options.dataTables.create(projectId, name, columns);
  }

  async rename(id: string, name: string, caller: Caller): Promise<DataTable> {
    return this.#options.dataTables.rename(id, caller.access['project:editor'], name);
  }

  async delete(id: string, caller: Caller): Promise<DataTable> {
    return this.#options.dataTables.delete(id, caller.access['project:editor']);
  }

  async addColumn(id: string, column: Omit<DataColumn, 'id'>, caller: Caller): Promise<DataColumn> {
    const changed = await this.#options.dataTables.addColumn(id, caller.access['project:editor'], column);
    return columnOf(changed, (candidate) => candidate.name === column.name);
  }

  async renameColumn(id: string, columnId: string, name: string, caller: Caller): Promise<DataColumn> {
    const changed = await this.#options.dataTables.renameColumn(id, caller.access['project:editor'], columnId, name);
    return columnOf(changed, (candidate) => candidate.id === columnId);
  }

  async deleteColumn(id: string, columnId: string, caller: Caller): Promise<DataColumn> {
    const column = columnOf(await this.get(id, caller), (candidate) => candidate.id === columnId);
    await this.#options.dataTables.deleteColumn(id, caller.access['project:editor'], columnId);
    return column;
  }
}

function columnOf({ id, columns }: DataTable, isWanted: (column: DataColumn) => boolean): DataColumn {
  const column = columns.find(isWanted);
  if (!column) throw new NotFoundError(`data table ${id} has no such column`);
  return column;
}
