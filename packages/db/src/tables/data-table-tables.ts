import type { DataColumnType } from '@sluice/domain';
import type { Generated } from 'kysely';

/** A table that users define. Every write to its rows locks its row here. */
export interface DataTableTable {
  id: string;
  project_id: string;
  /** Unique in the project. */
  name: string;
  next_row_id: Generated<string>;
  row_count: Generated<string>;
  /** Sum of the sizes of its rows. */
  bytes: Generated<string>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface DataTableColumnTable {
  /** Key in `data_table_rows.data`; no other table has it. */
  key: Generated<string>;
  table_id: string;
  name: string;
  type: DataColumnType;
}

/** The table may have been deleted. */
export interface DataTableRowTable {
  table_id: string;
  id: string;
  /** Values by column key. Absent values are null. */
  data: Record<string, string | number | boolean>;
  /** Bytes that count toward the quota. */
  size: Generated<number>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

/** Deleted tables whose rows have not all been deleted. */
export interface DataTableLeftoverTable {
  table_id: string;
}
