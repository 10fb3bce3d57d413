import type { Extension } from '@codemirror/state';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { loadPart } from '../data/connection.ts';
import type { CodeEditor } from './code-editor.tsx';
import { cx } from './cx.ts';
import type { FieldIds } from './fields.tsx';

/** `text`: code in a language without a grammar here. */
export type CodeLanguage = 'javascript' | 'python' | 'sql' | 'html' | 'json' | 'text';

export interface CodeInputProps {
  ids: FieldIds;
  language: CodeLanguage;
  /** Height in lines, at least. */
  rows: number;
  value: string;
  onChange(value: string): void;
  onBlur?: (() => void) | undefined;
  placeholder?: string | undefined;
  /** Shown as a field of text: without line numbers, and Tab leaves it. */
  isText?: boolean | undefined;
  /** Loaded once, in addition to the grammar of the language. */
  extension?: (() => Promise<Extension>) | undefined;
  /** Place of the caret in the text, whenever it moves. */
  onCaret?: ((at: number) => void) | undefined;
  /** Focuses the field when it is mounted, with the caret at the end. */
  autoFocus?: boolean | undefined;
}

/** Loaded with the first field that needs it. */
let loadedEditor: typeof CodeEditor | undefined;

/** A code editor. Until it is loaded, and if it cannot be loaded, a text area. */
export function CodeInput(props: CodeInputProps) {
  const { ids, rows, value, onChange, onBlur, placeholder, isText, onCaret, autoFocus = false } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const caret = useRef<[from: number, to: number] | undefined>(autoFocus ? [value.length, value.length] : undefined);
  const [Editor, setEditor] = useState(() => loadedEditor);
  useEffect(() => {
    if (loadedEditor) return;
    loadPart(() => import('./code-editor.tsx')).then(
      ({ CodeEditor: loaded }) => {
        loadedEditor = loaded;
        // A user who is typing continues in the editor.
        const { current } = area;
        const hasFocus = current !== null && current === document.activeElement;
        caret.current = hasFocus ? [current.selectionStart, current.selectionEnd] : undefined;
        // At once: a key between the two would move the caret.
        flushSync(() => setEditor(() => loaded));
      },
      () => undefined,
    );
  }, []);
  if (Editor) return <Editor {...props} caret={caret.current} />;
  return (
    <textarea
      ref={area}
      // biome-ignore lint/a11y/noAutofocus: the user is typing in the field that this one replaces
      autoFocus={autoFocus}
      className={cx('input mono', isText && 'is-text')}
      rows={rows}
      spellCheck={false}
      placeholder={placeholder}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onSelect={({ currentTarget }) => onCaret?.(currentTarget.selectionStart)}
      onBlur={onBlur}
      {...ids}
    />
  );
}
