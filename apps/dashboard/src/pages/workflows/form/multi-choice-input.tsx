import { messageOf } from '../../../data/errors.ts';
import { Checkbox } from '../../../ui/fields.tsx';
import type { InputProps } from './scalar-field.tsx';
import { useChoices } from './use-choices.ts';
import type { Value } from './values.ts';

export function MultiChoiceInput({ ids, property, value, onChange }: InputProps) {
  const { choices, error } = useChoices(property);
  const chosen: Value[] = Array.isArray(value) ? value : [];
  return (
    <div {...ids} role="group" aria-label={property.displayName} className="choices">
      {choices.map((choice) => (
        <Checkbox
          key={String(choice.value)}
          label={choice.name}
          checked={chosen.includes(choice.value)}
          onChange={(on) => onChange(on ? [...chosen, choice.value] : chosen.filter((one) => one !== choice.value))}
        />
      ))}
      {error !== null && <p className="field-error">{messageOf(error)}</p>}
    </div>
  );
}
