import { useRef } from 'react';
import { messageOf } from '../../../data/errors.ts';
import { insertExpression } from '../model/fields-of.ts';
import { FieldPicker, useInput } from './field-picker.tsx';
import { usePreview } from './preview-context.ts';
import type { InputIds } from './scalar-field.tsx';

interface ExpressionInputProps {
  ids: InputIds;
  /** With the leading `=`. */
  value: string;
  onChange(value: string): void;
  nodeName: string;
  autoFocus: boolean;
}

/** Text with `{{ }}`, and its value for the first item of the last run. */
export function ExpressionInput({ ids, value, onChange, nodeName, autoFocus }: ExpressionInputProps) {
  const text = value.slice(1);
  const area = useRef<HTMLTextAreaElement>(null);
  const insert = (expression: string) =>
    onChange(`=${insertExpression(text, area.current?.selectionStart ?? text.length, expression)}`);
  return (
    <>
      <textarea
        ref={area}
        // biome-ignore lint/a11y/noAutofocus: the user is typing in the field that this one replaces
        autoFocus={autoFocus}
        className="input mono expression"
        spellCheck={false}
        rows={Math.min(8, Math.max(1, text.split('\n').length))}
        placeholder="{{ $json.field }}"
        value={text}
        onChange={(event) => onChange(`=${event.target.value}`)}
        {...ids}
      />
      {text !== '' && <Preview nodeName={nodeName} expression={value} />}
      <FieldPicker nodeName={nodeName} onPick={insert} />
    </>
  );
}

function Preview({ nodeName, expression }: { nodeName: string; expression: string }) {
  const { preview, error } = usePreview(nodeName, expression);
  const hasInput = useInput(nodeName) !== undefined;
  const problem = error ? messageOf(error) : preview?.error?.message;
  if (problem) return <p className="preview is-error">{problem}</p>;
  if (!preview) return null;
  if (preview.value === undefined && !preview.tooLarge && !hasInput) {
    return <p className="preview is-unknown">No data yet. Run the workflow to see the value.</p>;
  }
  return (
    <output className="preview" aria-label="Value for the first item">
      {preview.tooLarge ? 'too large to show' : shown(preview.value)}
    </output>
  );
}

function shown(value: unknown): string {
  if (value === undefined) return 'undefined';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
