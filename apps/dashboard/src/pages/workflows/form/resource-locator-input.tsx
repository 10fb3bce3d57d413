import { Select } from '../../../ui/fields.tsx';
import { ListPicker } from './list-picker.tsx';
import { type Locator, modesOf, toLocator } from './locator.ts';
import type { InputProps } from './scalar-field.tsx';
import { searchMethodOf } from './search-method.ts';

/** A reference to an object at a service: its mode, and its value, which the service may list. */
export function ResourceLocatorInput({ ids, property, value, onChange }: InputProps) {
  const { mode, value: reference, cachedResultName } = toLocator(property, value);
  const method = searchMethodOf(property);
  const modes = modesOf(property);
  const options = modes.some((one) => one.value === mode) ? modes : [...modes, { value: mode, label: mode }];
  // A name from the list does not belong to another value.
  const change = (next: Locator) => onChange({ __rl: true, ...next });
  return (
    <div className="locator">
      <Select
        aria-label={`${property.displayName}: mode`}
        options={options}
        value={mode}
        onChange={(next) => change({ mode: next, value: reference })}
      />
      {mode === 'list' && method !== undefined ? (
        <ListPicker
          ids={ids}
          label={property.displayName}
          method={method}
          own={property.name}
          current={cachedResultName ?? reference}
          onChoose={({ label, value: chosen }) => change({ mode, value: chosen, cachedResultName: label })}
        />
      ) : (
        <input className="input" value={reference} onChange={(event) => change({ mode, value: event.target.value })} {...ids} />
      )}
      {mode !== 'list' && cachedResultName && <p className="field-hint">{cachedResultName}</p>}
    </div>
  );
}
