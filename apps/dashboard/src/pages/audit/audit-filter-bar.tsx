import { X } from 'lucide-react';
import type { FormEvent } from 'react';
import { rangeOptions } from '../../data/time-ranges.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/fields.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import type { AuditFilter } from './audit-filter.ts';

interface FilterBarProps {
  filter: AuditFilter;
  onChange(filter: AuditFilter): void;
}

/** Text applies at Enter: the API compares whole values, so half a value finds nothing. */
export function AuditFilterBar({ filter, onChange }: FilterBarProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const texts = new FormData(event.currentTarget);
    const textOf = (name: string) => String(texts.get(name)).trim() || undefined;
    onChange({ ...filter, actor: textOf('actor'), object: textOf('object') });
  };
  return (
    <form className="toolbar" onSubmit={submit}>
      <SearchField label="User or key" name="actor" value={filter.actor ?? ''} />
      <SearchField label="Object: type, ID, or name" name="object" value={filter.object ?? ''} />
      <Select
        aria-label="Time"
        value={filter.range ?? ''}
        onChange={(range) => onChange({ ...filter, range: range || undefined })}
        options={[{ value: '', label: 'Any time' }, ...rangeOptions]}
      />
      <Button type="submit">Filter</Button>
      {Object.values(filter).some(Boolean) && (
        <Button kind="quiet" icon={<X size={14} />} onClick={() => onChange({})}>
          Clear
        </Button>
      )}
    </form>
  );
}
