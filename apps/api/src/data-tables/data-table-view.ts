import type { DataTableView } from '@sluice/contract';
import type { DataTable } from '@sluice/db';

export function toDataTableView({ createdAtUs: _, createdAt, updatedAt, ...rest }: DataTable): DataTableView {
  return { ...rest, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
