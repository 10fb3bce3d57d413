import type { CellValue, DataColumn } from './data-table-queries.ts';

export interface RowFilter {
  columnName: string;
  condition: Condition;
  value?: CellValue;
}

const conditions = [
  { value: 'eq', label: 'is', takesValue: true },
  { value: 'neq', label: 'is not', takesValue: true },
  { value: 'gt', label: 'is greater than', takesValue: true },
  { value: 'lt', label: 'is less than', takesValue: true },
  { value: 'ilike', label: 'contains', takesValue: true },
  { value: 'isEmpty', label: 'is empty', takesValue: false },
  { value: 'isNotEmpty', label: 'is not empty', takesValue: false },
  { value: 'isTrue', label: 'is true', takesValue: false },
  { value: 'isFalse', label: 'is false', takesValue: false },
] as const;
type Condition = (typeof conditions)[number]['value'];

const onlyFor: Partial<Record<Condition, readonly DataColumn['type'][]>> = {
  eq: ['string', 'number', 'date'],
  neq: ['string', 'number', 'date'],
  gt: ['number', 'date', 'string'],
  lt: ['number', 'date', 'string'],
  ilike: ['string'],
  isTrue: ['boolean'],
  isFalse: ['boolean'],
};

/** The conditions that columns of a type have. */
export function conditionsOf(type: DataColumn['type']) {
  return conditions.filter(({ value }) => onlyFor[value]?.includes(type) ?? true);
}

/** The filter in the query string; `undefined` if it is missing or incomplete. */
export function parseRowFilter(
  { column, condition, value }: Readonly<Record<string, string | undefined>>,
  columns: readonly DataColumn[],
): RowFilter | undefined {
  const type = columns.find(({ name }) => name === column)?.type;
  const option = type && conditionsOf(type).find((one) => one.value === condition);
  if (!column || !option) return undefined;
  if (!option.takesValue) return { columnName: column, condition: option.value };
  const parsed = value === undefined || value === '' ? undefined : parseCell(value, type);
  if (parsed === undefined || parsed === null) return undefined;
  return {
    columnName: column,
    condition: option.value,
    value: option.value === 'ilike' ? `%${escapeLike(`${parsed}`)}%` : parsed,
  };
}

/** The order, such as `email:asc`; `undefined` if it is missing, or its column is gone. */
export function parseSort(text: string | undefined, columns: readonly Pick<DataColumn, 'name'>[]): string | undefined {
  const names = ['id', 'createdAt', 'updatedAt', ...columns.map(({ name }) => name)];
  return names.some((name) => text === `${name}:asc` || text === `${name}:desc`) ? text : undefined;
}

/** A cell's value from its text; null if it is empty, `undefined` if it does not fit the type. */
export function parseCell(text: string, type: DataColumn['type']): CellValue | undefined {
  if (text === '') return null;
  if (type === 'number') return Number.isFinite(Number(text)) ? Number(text) : undefined;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  if (type === 'date') return Number.isNaN(Date.parse(text)) ? undefined : new Date(text).toISOString();
  return text;
}

const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&');
