import { addDataColumn } from './add-data-column.ts';
import { createDataTable } from './create-data-table.ts';
import { deleteDataColumn } from './delete-data-column.ts';
import { deleteDataRows } from './delete-data-rows.ts';
import { deleteDataTable } from './delete-data-table.ts';
import { getDataTable } from './get-data-table.ts';
import { insertDataRows } from './insert-data-rows.ts';
import { listDataRows } from './list-data-rows.ts';
import { listDataTables } from './list-data-tables.ts';
import { renameDataColumn } from './rename-data-column.ts';
import { renameDataTable } from './rename-data-table.ts';
import { updateDataRows } from './update-data-rows.ts';
import { upsertDataRows } from './upsert-data-rows.ts';

export const dataTableRoutes = [
  listDataTables,
  createDataTable,
  getDataTable,
  renameDataTable,
  deleteDataTable,
  addDataColumn,
  renameDataColumn,
  deleteDataColumn,
  listDataRows,
  insertDataRows,
  updateDataRows,
  deleteDataRows,
  upsertDataRows,
];
