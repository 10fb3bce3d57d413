import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Select, SelectField, TextField } from '../../ui/fields.tsx';
import { counted } from '../../ui/format.ts';
import { ProjectField } from '../../ui/project-field.tsx';
import { toast } from '../../ui/toast.tsx';
import { addColumn, createTable, type DataColumn, type DataTable, deleteColumn, deleteTable } from './data-table-queries.ts';
import './data-tables.css';

const columnTypes: readonly { value: DataColumn['type']; label: string }[] = [
  { value: 'string', label: 'Text' },
  { value: 'number', label: 'Number' },
  { value: 'boolean', label: 'Yes or no' },
  { value: 'date', label: 'Date and time' },
];

export const labelOfType = (type: DataColumn['type']) => columnTypes.find(({ value }) => value === type)?.label ?? type;

interface NewTableDialogProps {
  onClose(): void;
  onCreated(id: string): void;
}

type NewColumn = Pick<DataColumn, 'name' | 'type'> & { key: number };

export function NewTableDialog({ onClose, onCreated }: NewTableDialogProps) {
  const [name, setName] = useState('');
  const [projectId, setProject] = useState('');
  const [columns, setColumns] = useState<readonly NewColumn[]>([{ key: 0, name: '', type: 'string' }]);
  const patch = (key: number, change: Partial<NewColumn>) =>
    setColumns((before) => before.map((column) => (column.key === key ? { ...column, ...change } : column)));
  const create = async () => {
    const named = columns.filter((column) => column.name.trim() !== '');
    const { id } = await createTable({
      name: name.trim(),
      columns: named.map((column) => ({ name: column.name.trim(), type: column.type })),
      ...(projectId !== '' && { projectId }),
    });
    toast.success(`Table “${name.trim()}” created`);
    onCreated(id);
  };
  return (
    <ConfirmDialog onClose={onClose} title="New table" action="Create" disabled={name.trim() === ''} onConfirm={create}>
      <TextField label="Name" required maxLength={128} placeholder="Customers" value={name} onChange={setName} />
      <ProjectField value={projectId} onChange={setProject} />
      <fieldset className="stack-small">
        <legend className="field-legend">Columns</legend>
        {columns.map(({ key, name: column, type }, index) => (
          <div key={key} className="new-column">
            <input
              className="input"
              aria-label={`Name of column ${index + 1}`}
              placeholder="email"
              value={column}
              onChange={(event) => patch(key, { name: event.target.value })}
            />
            <Select
              aria-label={`Type of column ${index + 1}`}
              value={type}
              options={columnTypes}
              onChange={(next) => patch(key, { type: next as DataColumn['type'] })}
            />
            <IconButton
              label={`Remove column ${index + 1}`}
              onClick={() => setColumns((before) => before.filter((one) => one.key !== key))}
            >
              <X size={14} />
            </IconButton>
          </div>
        ))}
        <div>
          <Button
            icon={<Plus size={14} />}
            onClick={() =>
              setColumns((before) => [...before, { key: (before.at(-1)?.key ?? 0) + 1, name: '', type: 'string' }])
            }
          >
            Add a column
          </Button>
        </div>
        <p className="field-hint">Every table also has id, createdAt, and updatedAt. The type of a column never changes.</p>
      </fieldset>
    </ConfirmDialog>
  );
}

interface DeleteTableDialogProps {
  table: DataTable;
  onClose(): void;
  onDeleted(): void;
}

export function DeleteTableDialog({ table, onClose, onDeleted }: DeleteTableDialogProps) {
  const remove = async () => {
    await deleteTable(table.id);
    toast.success(`Table “${table.name}” deleted`);
    onDeleted();
  };
  return (
    <ConfirmDialog onClose={onClose} title={`Delete “${table.name}”?`} action="Delete" danger onConfirm={remove}>
      <p>It has {counted(table.rowCount, 'row')}. Nodes that use it will fail. This cannot be undone.</p>
    </ConfirmDialog>
  );
}

export function AddColumnDialog({ table, onClose }: { table: DataTable; onClose(): void }) {
  const [name, setName] = useState('');
  const [type, setType] = useState<DataColumn['type']>('string');
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Add a column"
      action="Add"
      disabled={name.trim() === ''}
      onConfirm={() => addColumn(table.id, { name: name.trim(), type })}
    >
      <TextField
        label="Name"
        required
        maxLength={63}
        hint="Letters, digits, and _; the first one is a letter."
        value={name}
        onChange={setName}
      />
      <SelectField
        label="Type"
        hint="The type never changes."
        value={type}
        options={columnTypes}
        onChange={(next) => setType(next as DataColumn['type'])}
      />
    </ConfirmDialog>
  );
}

interface ColumnDialogProps {
  table: DataTable;
  column: DataColumn;
  onClose(): void;
}

export function DeleteColumnDialog({ table, column, onClose }: ColumnDialogProps) {
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Delete the column ${column.name}?`}
      action="Delete"
      danger
      onConfirm={() => deleteColumn(table.id, column.id)}
    >
      <p>Its values are deleted in every row. This cannot be undone.</p>
    </ConfirmDialog>
  );
}
