import { useRef } from 'react';
import { messageOf } from '../../../data/errors.ts';
import { CodeInput } from '../../../ui/code-input.tsx';
import type { FieldIds } from '../../../ui/fields.tsx';
import { insertExpression } from '../model/fields-of.ts';
import { FieldPicker, useInput } from './field-picker.tsx';
import { usePreview } from './preview-context.ts';
import { useExpressionData } from './use-expression-data.ts';

interface ExpressionInputProps {
  ids: FieldIds;
  /** With the leading `=`. */
  value: string;
  onChange(value: string): void;
  nodeName: string;
  autoFocus: boolean;
}

/** Text with `{{ }}`, and its value for the first item of the last run. */
export function ExpressionInput({ ids, value, onChange, nodeName, autoFocus }: ExpressionInputProps) {
  const text = value.slice(1);
  const caret = useRef<number>(undefined);
  const dataOf = useExpressionData(nodeName);
  const insert = (expression: string) => onChange(`=${insertExpression(text, caret.current ?? text.length, expression)}`);
  return (
    <>
      <CodeInput
        ids={ids}
        language="text"
        isText
        extension={() => import('./expression-language.ts').then(({ expressionTemplate }) => expressionTemplate(dataOf))}
        autoFocus={autoFocus}
        rows={Math.min(8, Math.max(1, text.split('\n').length))}
        placeholder="{{ $json.field }}"
        value={text}
        onChange={(next) => onChange(`=${next}`)}
        onCaret={(at) => {
          caret.current = at;
        }}
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
      {preview.tooLarge ? 'too large to show' : toText(preview.value)}
    </output>
  );
}

function toText(value: unknown): string {
  if (value === undefined) return 'undefined';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
