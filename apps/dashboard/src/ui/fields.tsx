import { Check, ChevronDown } from 'lucide-react';
import { Checkbox as RadixCheckbox, Switch as RadixSwitch } from 'radix-ui';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { cx } from './cx.ts';

export interface FieldProps {
  label: string;
  hint?: ReactNode | undefined;
  /** Problem with the value. */
  error?: string | undefined;
  required?: boolean | undefined;
}

/** Attributes that connect a control with its label, its hint, and its error. */
export interface FieldIds {
  id: string;
  'aria-describedby'?: string;
  'aria-invalid'?: true;
  required?: boolean;
}

interface FieldFrameProps extends FieldProps {
  children: (ids: FieldIds) => ReactNode;
}

/** Label, control, hint, and error, connected for screen readers. */
export function Field({ label, hint, error, required, children }: FieldFrameProps) {
  const id = useId();
  const described = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean).join(' ');
  const props: FieldIds = {
    id,
    ...(described && { 'aria-describedby': described }),
    ...(error !== undefined && { 'aria-invalid': true as const }),
    ...(required && { required }),
  };
  return (
    <div className="field">
      <label htmlFor={id} id={`${id}-label`}>
        {label}
        {required && (
          <span className="required" aria-hidden="true">
            {' '}
            *
          </span>
        )}
      </label>
      {children(props)}
      {hint !== undefined && (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

type Own<Tag extends 'input' | 'textarea' | 'select'> = FieldProps &
  Omit<ComponentProps<Tag>, 'id' | 'onChange' | 'value'> & {
    value: string;
    onChange(value: string): void;
  };

export function TextField({ label, hint, error, required, onChange, className, ...rest }: Own<'input'>) {
  return (
    <Field label={label} hint={hint} error={error} required={required}>
      {(ids) => (
        <input className={cx('input', className)} onChange={(event) => onChange(event.target.value)} {...rest} {...ids} />
      )}
    </Field>
  );
}

export function TextArea({ label, hint, error, required, onChange, className, ...rest }: Own<'textarea'>) {
  return (
    <Field label={label} hint={hint} error={error} required={required}>
      {(ids) => (
        <textarea
          className={cx('input', className)}
          rows={4}
          onChange={(event) => onChange(event.target.value)}
          {...rest}
          {...ids}
        />
      )}
    </Field>
  );
}

interface Option {
  value: string;
  label: string;
  disabled?: boolean;
}

/** The select element of the browser: its list works on phones, and with every keyboard. */
export function SelectField({
  label,
  hint,
  error,
  required,
  onChange,
  options,
  ...rest
}: Own<'select'> & { options: readonly Option[] }) {
  return (
    <Field label={label} hint={hint} error={error} required={required}>
      {(ids) => <Select options={options} onChange={onChange} {...rest} {...ids} />}
    </Field>
  );
}

type SelectProps = Omit<ComponentProps<'select'>, 'onChange'> & { options: readonly Option[]; onChange(value: string): void };

/** Without a visible label; give it an `aria-label`. */
export function Select({ options, onChange, className, ...rest }: SelectProps) {
  return (
    <span className="select">
      <select className={cx('input', className)} onChange={(event) => onChange(event.target.value)} {...rest}>
        {options.map(({ value, label, disabled }) => (
          <option key={value} value={value} disabled={disabled}>
            {label}
          </option>
        ))}
      </select>
      <ChevronDown size={14} />
    </span>
  );
}

interface ToggleProps {
  checked: boolean;
  onChange(checked: boolean): void;
  label: ReactNode;
  disabled?: boolean;
}

export function Checkbox({ checked, onChange, label, disabled }: ToggleProps) {
  const id = useId();
  return (
    <div className="toggle">
      <RadixCheckbox.Root
        id={id}
        className="checkbox"
        checked={checked}
        disabled={disabled}
        onCheckedChange={(next) => onChange(next === true)}
      >
        <RadixCheckbox.Indicator>
          <Check size={12} strokeWidth={3} />
        </RadixCheckbox.Indicator>
      </RadixCheckbox.Root>
      <label htmlFor={id}>{label}</label>
    </div>
  );
}

interface SwitchProps extends ToggleProps {
  /** ID for the label of a surrounding `Field`; `label` is then the text next to the switch. */
  id?: string;
  'aria-describedby'?: string;
}

export function Switch({ checked, onChange, label, disabled, id, ...described }: SwitchProps) {
  const ownId = useId();
  return (
    <div className="toggle">
      <RadixSwitch.Root
        id={id ?? ownId}
        className="switch"
        checked={checked}
        disabled={disabled}
        onCheckedChange={onChange}
        {...described}
      >
        <RadixSwitch.Thumb />
      </RadixSwitch.Root>
      {id === undefined ? <label htmlFor={ownId}>{label}</label> : <span aria-hidden="true">{label}</span>}
    </div>
  );
}
