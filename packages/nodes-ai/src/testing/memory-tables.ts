import { AppError, type DataTableAccess, type DataTableInfo, type DataTableRow } from '@sluice/node-sdk';

/** Data tables of a project in memory: the subset that vector stores use. */
export function memoryTables(): DataTableAccess {
  const tables = new Map<string, { info: Omit<DataTableInfo, 'rowCount'>; rows: DataTableRow[] }>();
  const rowsOf = (id: string) => tables.get(id)?.rows ?? [];
  let ids = 1;
  const unused = () => Promise.reject(new Error('not used by this test'));
  return {
    find: async (by) => {
      const table = [...tables.values()].find(({ info }) => ('id' in by ? info.id === by.id : info.name === by.name));
      if (!table) throw new AppError({ code: 'NOT_FOUND', message: 'no such table' });
      return { ...table.info, rowCount: table.rows.length };
    },
    create: async (name, columns) => {
      if ([...tables.values()].some(({ info }) => info.name === name)) throw new AppError({ code: 'CONFLICT', message: name });
      const info = { id: `t${tables.size}`, name, columns: columns.map((column) => ({ id: column.name, ...column })) };
      tables.set(info.id, { info, rows: [] });
      return { ...info, rowCount: 0 };
    },
    rows: async (id, _, { after = 0, limit }) => {
      const laterRows = rowsOf(id).filter((row) => Number(row['id']) > after);
      const rows = laterRows.slice(0, limit);
      return { rows, next: laterRows.length > limit ? Number(rows.at(-1)?.['id']) : null };
    },
    insert: async (id, rows) => {
      const added = rows.map((row) => ({ ...row, id: ids++ }) as unknown as DataTableRow);
      rowsOf(id).push(...added);
      return added;
    },
    clear: async (id) => void rowsOf(id).splice(0),
    deleteRows: unused,
    rename: unused,
    delete: unused,
    list: unused,
    update: unused,
    upsert: unused,
    preview: unused,
  };
}
