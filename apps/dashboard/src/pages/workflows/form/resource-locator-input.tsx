import { Select } from '../../../ui/fields.tsx';
import type { InputProps } from './scalar-field.tsx';

const modes = [
  { value: 'list', label: 'From list' },
  { value: 'id', label: 'By ID' },
  { value: 'url', label: 'By URL' },
  { value: 'name', label: 'By name' },
];

/** A reference to something of a service: how it is given, and the value. */
export function ResourceLocatorInput({ ids, property, value, onChange }: InputProps) {
  const { mode = 'id', value: reference = '', cachedResultName } = value as Record<string, string>;
  const options = modes.some((known) => known.value === mode) ? modes : [...modes, { value: mode, label: mode }];
  // A name that the list gave does not belong to another value.
  const change = (patch: Record<string, string>) => onChange({ __rl: true, mode, value: reference, ...patch });
  return (
    <div className="locator">
      <Select
        aria-label={`${property.displayName}: mode`}
        options={options}
        value={mode}
        onChange={(next) => change({ mode: next })}
      />
      <input className="input" value={reference} onChange={(event) => change({ value: event.target.value })} {...ids} />
      {cachedResultName && <p className="field-hint">{cachedResultName}</p>}
    </div>
  );
}
