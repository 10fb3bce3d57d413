import { Switch as RadixSwitch } from 'radix-ui';
import { useContext, useEffect, useState } from 'react';
import { messageOf } from '../../../data/errors.ts';
import { CodeInput, type CodeInputProps } from '../../../ui/code-input.tsx';
import { Select } from '../../../ui/fields.tsx';
import { withCode } from '../../../ui/with-code.tsx';
import { codeLanguageOf } from './code-language.ts';
import { NodeNameScope } from './form-context.ts';
import type { InputProps } from './scalar-field.tsx';
import { useChoices } from './use-choices.ts';
import { credentialTypesOf, useCredentials } from './use-credentials.ts';
import { useExpressionData } from './use-expression-data.ts';
import { fromJsonText, toJsonText } from './values.ts';

export function TextInput({ ids, property: { typeOptions = {} }, value, onChange }: InputProps) {
  const text = value === undefined || value === null ? '' : String(value);
  const language = codeLanguageOf({ typeOptions });
  const rows = Number(typeOptions['rows'] ?? (language ? 14 : 1));
  if (language) return <CodeParameter ids={ids} language={language} rows={rows} value={text} onChange={onChange} />;
  if (rows > 1 || text.includes('\n')) {
    return (
      <textarea
        className="input"
        rows={Math.max(rows, 3)}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        {...ids}
      />
    );
  }
  return (
    <input
      className="input"
      type={typeOptions['password'] === true ? 'password' : 'text'}
      autoComplete="off"
      value={text}
      onChange={(event) => onChange(event.target.value)}
      {...ids}
    />
  );
}

/** Code, with completion in JavaScript. */
function CodeParameter(props: CodeInputProps) {
  const dataOf = useExpressionData(useContext(NodeNameScope));
  const extension = () => import('./expression-language.ts').then(({ codeCompletion }) => codeCompletion(dataOf));
  return <CodeInput {...props} extension={props.language === 'javascript' ? extension : undefined} />;
}

/** Keeps text that is not a number yet, such as `-`. An empty field returns to its value. */
export function NumberInput({ ids, property: { typeOptions = {} }, value, onChange }: InputProps) {
  const [text, setText] = useState(String(value ?? ''));
  useEffect(() => setText((before) => (before !== '' && Number(before) === value ? before : String(value ?? ''))), [value]);
  const { minValue, maxValue } = typeOptions as { minValue?: number; maxValue?: number };
  return (
    <input
      className="input"
      type="number"
      step="any"
      min={minValue}
      max={maxValue}
      value={text}
      onChange={(event) => {
        setText(event.target.value);
        if (event.target.value !== '') onChange(Number(event.target.value));
      }}
      onBlur={() => text === '' && setText(String(value ?? ''))}
      {...ids}
    />
  );
}

export function BooleanInput({ ids, value, onChange }: InputProps) {
  return (
    <RadixSwitch.Root className="switch" checked={value === true} onCheckedChange={onChange} {...ids}>
      <RadixSwitch.Thumb />
    </RadixSwitch.Root>
  );
}

/** Choices of the type, or those that the service loads. */
export function ChoiceInput({ ids, property, value, onChange }: InputProps) {
  const { choices, error, isLoading } = useChoices(property);
  const index = choices.findIndex((choice) => choice.value === value);
  const isUnknown = index < 0 && value !== undefined && value !== '';
  const options = [
    ...(index < 0 ? [{ value: 'current', label: isUnknown ? String(value) : isLoading ? 'Loading …' : 'Choose …' }] : []),
    ...choices.map(({ name }, at) => ({ value: String(at), label: name })),
  ];
  return (
    <>
      <Select
        options={options}
        value={index < 0 ? 'current' : String(index)}
        onChange={(at) => at !== 'current' && onChange(choices[Number(at)]?.value)}
        {...ids}
      />
      {choices[index]?.description && <p className="field-hint">{withCode(choices[index].description)}</p>}
      {error !== null && <p className="field-error">{messageOf(error)}</p>}
    </>
  );
}

export function DateInput({ ids, value, onChange }: InputProps) {
  const text = String(value ?? '');
  return (
    <input
      className="input"
      type="datetime-local"
      step="1"
      value={text.replace(/(\.\d+)?(Z|[+-]\d\d:\d\d)$/, '')}
      onChange={(event) => onChange(event.target.value)}
      {...ids}
    />
  );
}

/** JSON as text. Incomplete text is kept here until it is valid JSON. */
export function JsonInput({ ids, property, value, onChange }: InputProps) {
  const [edited, setEdited] = useState<{ text: string; error?: string }>();
  const text = edited?.text ?? toJsonText(value);
  const edit = (next: string) => {
    try {
      onChange(fromJsonText(next, property));
      setEdited({ text: next });
    } catch (error) {
      setEdited({ text: next, error: messageOf(error) });
    }
  };
  const errorId = `${ids.id}-json`;
  const describedBy = [ids['aria-describedby'], errorId].filter(Boolean).join(' ');
  return (
    <>
      <CodeInput
        ids={edited?.error ? { ...ids, 'aria-invalid': true, 'aria-describedby': describedBy } : ids}
        language="json"
        rows={Math.min(16, Math.max(4, text.split('\n').length))}
        value={text}
        onChange={edit}
        onBlur={() => !edited?.error && setEdited(undefined)}
      />
      {edited?.error && (
        <p className="field-error" id={errorId}>
          Not JSON yet: {edited.error}
        </p>
      )}
    </>
  );
}

/** A credential type, among the types that have credentials. */
export function CredentialTypeInput({ ids, value, onChange }: InputProps) {
  const credentials = useCredentials();
  const types = credentialTypesOf(credentials.data ?? [], String(value ?? ''));
  return (
    <Select
      options={[{ value: '', label: 'Choose …' }, ...types.map((type) => ({ value: type, label: type }))]}
      value={String(value ?? '')}
      onChange={onChange}
      {...ids}
    />
  );
}
