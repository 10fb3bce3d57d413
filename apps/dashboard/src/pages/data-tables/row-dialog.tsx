import { useState } from 'react';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { SelectField, TextArea, TextField } from '../../ui/fields.tsx';
import { type CellValue, type DataColumn, type DataTable, insertRow, type Row, updateRow } from './data-table-queries.ts';
import { parseCell } from './row-filter.ts';

interface RowDialogProps {
  table: DataTable;
  /** Absent: a new row. */
  row?: Row;
  onClose(): void;
}

/** The values of a row. */
export function RowDialog({ table, row, onClose }: RowDialogProps) {
  const [opened] = useState<ReadonlyMap<string, string>>(
    () => new Map(table.columns.map((column) => [column.name, textOf(row?.[column.name], column)])),
  );
  const [texts, setTexts] = useState(opened);
  const values = table.columns.map((column) => ({ column, value: parseCell(texts.get(column.name) ?? '', column.type) }));
  const save = async () => {
    // Only changed cells: a workflow may have written others, and dates lack milliseconds here.
    const written = row ? values.filter(({ column: { name } }) => texts.get(name) !== opened.get(name)) : values;
    const data = Object.fromEntries(written.map(({ column, value }) => [column.name, value ?? null]));
    if (!row) await insertRow(table.id, data);
    else if (written.length > 0) await updateRow(table.id, Number(row['id']), data);
  };
  return (
    <ConfirmDialog
      onClose={onClose}
      title={row ? `Row ${row['id']}` : 'New row'}
      action={row ? 'Save' : 'Add'}
      disabled={values.some(({ value }) => value === undefined)}
      onConfirm={save}
    >
      {table.columns.map((column) => (
        <CellField
          key={column.id}
          column={column}
          text={texts.get(column.name) ?? ''}
          onChange={(text) => setTexts((before) => new Map(before).set(column.name, text))}
        />
      ))}
      {table.columns.length === 0 && <p className="muted">The table has no columns yet.</p>}
    </ConfirmDialog>
  );
}

interface CellFieldProps {
  column: DataColumn;
  text: string;
  onChange(text: string): void;
}

function CellField({ column: { name, type }, text, onChange }: CellFieldProps) {
  // Decided once: a different element would lose the focus while the user types.
  const [isLong] = useState(text.includes('\n') || text.length > 60);
  const field = { label: name, value: text, onChange };
  if (type === 'boolean') {
    const options = [
      { value: '', label: 'Empty' },
      { value: 'true', label: 'Yes' },
      { value: 'false', label: 'No' },
    ];
    return <SelectField {...field} options={options} />;
  }
  if (type === 'date') return <TextField {...field} type="datetime-local" step="1" />;
  if (type === 'number') return <TextField {...field} type="number" step="any" />;
  return isLong ? <TextArea {...field} /> : <TextField {...field} />;
}

function textOf(value: CellValue | undefined, { type }: DataColumn): string {
  if (value === null || value === undefined) return '';
  return type === 'date' ? localText(new Date(String(value))) : String(value);
}

/** The local time, in the format of `datetime-local` fields. */
function localText(date: Date): string {
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 19);
}
