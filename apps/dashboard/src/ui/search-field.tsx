import { Search } from 'lucide-react';

interface SearchFieldProps {
  label: string;
  value: string;
  onChange(value: string): void;
}

/** Filters what the page shows while the user types. */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  return (
    <div className="search-field">
      <Search size={14} aria-hidden="true" />
      <input
        className="input"
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
