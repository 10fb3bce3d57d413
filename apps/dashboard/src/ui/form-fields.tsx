import { ownValue } from '../data/own-value.ts';
import { CodeField } from './code-field.tsx';
import { Field, SelectField, Switch, TextArea, TextField } from './fields.tsx';
import { type FormField, type FormValues, shownFields } from './form-model.ts';

interface FormFieldsProps {
  fields: readonly FormField[];
  values: FormValues;
  onChange(values: FormValues): void;
  /** Problems by name of the field. */
  errors?: Readonly<Record<string, string>>;
  /** Secrets that the service has and does not show. */
  stored?: ReadonlySet<string>;
  disabled?: boolean;
}

/** Inputs for the fields that apply to the values. */
export function FormFields({ fields, values, onChange, errors = {}, stored, disabled = false }: FormFieldsProps) {
  return shownFields(fields, values).map((field) => (
    <FormInput
      key={field.name}
      field={field}
      value={ownValue(values, field.name)}
      onChange={(value) => onChange({ ...values, [field.name]: value })}
      error={ownValue(errors, field.name)}
      isStored={stored?.has(field.name) ?? false}
      disabled={disabled}
    />
  ));
}

interface FormInputProps {
  field: FormField;
  value: unknown;
  onChange(value: unknown): void;
  error: string | undefined;
  isStored: boolean;
  disabled: boolean;
}

function FormInput({ field, value, onChange, error, isStored, disabled }: FormInputProps) {
  const { label, hint, required, kind, choices = [], initial, rows = 1 } = field;
  const placeholder = isStored ? 'Stored. Leave empty to keep it.' : field.placeholder;
  const common = { name: field.name, label, hint, error, required: required && !isStored, disabled, placeholder };
  const text = textOf(value ?? initial);
  switch (kind) {
    case 'boolean':
      return (
        <Field label={label} hint={hint} error={error}>
          {({ id, ...described }) => (
            <Switch
              id={id}
              {...described}
              checked={(value ?? initial) === true}
              onChange={onChange}
              disabled={disabled}
              label={(value ?? initial) === true ? 'On' : 'Off'}
            />
          )}
        </Field>
      );
    case 'choice':
      return <SelectField {...common} value={text} onChange={onChange} options={choices} />;
    case 'integer':
      return (
        <TextField
          {...common}
          inputMode="numeric"
          value={text}
          onChange={(next) => onChange(next.trim() === '' ? undefined : numberOr(next))}
        />
      );
    case 'json':
      return (
        <fieldset disabled={disabled}>
          <CodeField {...common} language="json" rows={4} value={text} onChange={onChange} />
        </fieldset>
      );
    default:
      return <TextInput common={common} isSecret={kind === 'secret'} rows={rows} text={text} onChange={onChange} />;
  }
}

interface TextInputProps {
  common: { label: string; name: string; placeholder?: string | undefined };
  isSecret: boolean;
  rows: number;
  text: string;
  onChange(value: string): void;
}

function TextInput({ common, isSecret, rows, text, onChange }: TextInputProps) {
  // Browsers would offer to store a password, or fill in another page's password.
  const plain = { spellCheck: false, autoComplete: isSecret ? 'new-password' : 'off', autoCapitalize: 'off' };
  if (rows > 1) {
    return (
      <TextArea
        {...common}
        {...plain}
        className={isSecret ? 'mono masked' : 'mono'}
        rows={rows}
        value={text}
        onChange={onChange}
      />
    );
  }
  return <TextField {...common} {...plain} type={isSecret ? 'password' : 'text'} value={text} onChange={onChange} />;
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
}

/** Text that is not a number stays text, so that the user sees it and the form refuses it. */
function numberOr(text: string): number | string {
  const number = Number(text);
  return Number.isNaN(number) ? text : number;
}
