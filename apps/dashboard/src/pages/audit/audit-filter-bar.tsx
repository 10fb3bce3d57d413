import { X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
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
  const [actor, setActor] = useState(filter.actor ?? '');
  const [object, setObject] = useState(filter.object ?? '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChange({ ...filter, actor: actor.trim() || undefined, object: object.trim() || undefined });
  };
  return (
    <form className="toolbar" onSubmit={submit}>
      <SearchField label="User or key" value={actor} onChange={setActor} />
      <SearchField label="Object: type, ID, or name" value={object} onChange={setObject} />
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
