import { Search } from 'lucide-react';
import { useTypedText } from './use-settled.ts';

interface SearchFieldProps {
  label: string;
  /** Name in a form. */
  name?: string;
  value: string;
  onChange?(value: string): void;
  /** Milliseconds without a key press until the text is reported, for searches by the service. */
  pauseMs?: number;
}

/** Filters what the page shows while the user types. */
export function SearchField({ label, name, value, onChange = () => undefined, pauseMs = 0 }: SearchFieldProps) {
  const [text, setText] = useTypedText(value, pauseMs, onChange);
  return (
    <div className="search-field">
      <Search size={14} />
      <input
        className="input"
        type="search"
        name={name}
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </div>
  );
}
