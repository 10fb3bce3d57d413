import { X } from 'lucide-react';
import { IconButton } from '../../ui/button.tsx';
import { Select } from '../../ui/fields.tsx';
import { useTypedText } from '../../ui/use-settled.ts';
import type { DataColumn } from './data-table-queries.ts';
import { conditionsOf } from './row-filter.ts';

export interface FilterTexts {
  column?: string | undefined;
  condition?: string | undefined;
  value?: string | undefined;
}

interface RowFilterBarProps {
  columns: readonly DataColumn[];
  filter: FilterTexts;
  onChange(filter: FilterTexts): void;
}

/** Milliseconds without a key press after which the value applies. */
const pauseMs = 300;

/** One condition on the rows. */
export function RowFilterBar({ columns, filter, onChange }: RowFilterBarProps) {
  const column = columns.find(({ name }) => name === filter.column);
  const offered = column ? conditionsOf(column.type) : [];
  const condition = offered.find(({ value }) => value === filter.condition) ?? offered[0];
  const [text, setText] = useTypedText(filter.value ?? '', pauseMs, (value) =>
    onChange({ ...filter, condition: condition?.value, value }),
  );
  return (
    <div className="toolbar" role="search" aria-label="Filter of the rows">
      <Select
        aria-label="Column of the filter"
        value={column?.name ?? ''}
        options={[{ value: '', label: 'All rows' }, ...columns.map(({ name }) => ({ value: name, label: name }))]}
        onChange={(name) => {
          const type = columns.find((one) => one.name === name)?.type;
          onChange(type ? { column: name, condition: conditionsOf(type)[0]?.value } : {});
        }}
      />
      {column && (
        <Select
          aria-label="Condition of the filter"
          value={condition?.value ?? ''}
          options={offered}
          onChange={(next) => onChange({ ...filter, condition: next })}
        />
      )}
      {condition?.takesValue && (
        <input
          className="input filter-value"
          aria-label="Value of the filter"
          type={column?.type === 'number' ? 'number' : column?.type === 'date' ? 'datetime-local' : 'text'}
          step="any"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      {column && (
        <IconButton label="Clear the filter" onClick={() => onChange({})}>
          <X size={14} />
        </IconButton>
      )}
    </div>
  );
}
