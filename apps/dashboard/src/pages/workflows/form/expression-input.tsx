import type { InputIds } from './scalar-field.tsx';

interface ExpressionInputProps {
  ids: InputIds;
  /** With the leading `=`. */
  value: string;
  onChange(value: string): void;
  nodeName: string;
}

/** Text with `{{ }}`. */
export function ExpressionInput({ ids, value, onChange }: ExpressionInputProps) {
  const text = value.slice(1);
  return (
    <textarea
      className="input mono expression"
      spellCheck={false}
      rows={Math.min(8, Math.max(1, text.split('\n').length))}
      placeholder="{{ $json.field }}"
      value={text}
      onChange={(event) => onChange(`=${event.target.value}`)}
      {...ids}
    />
  );
}
