import { CodeInput, type CodeInputProps } from './code-input.tsx';
import { Field, type FieldProps } from './fields.tsx';

/** A code editor with its label. A surrounding `fieldset` disables it. */
export function CodeField({ label, hint, error, required, ...input }: FieldProps & Omit<CodeInputProps, 'ids'>) {
  return (
    <Field label={label} hint={hint} error={error} required={required}>
      {(ids) => <CodeInput ids={ids} {...input} />}
    </Field>
  );
}
