import { useEffect, useRef, useState } from 'react';
import { loadPart } from '../../../data/connection.ts';
import type { CodeEditor } from './code-editor.tsx';
import type { CodeLanguage } from './code-language.ts';
import type { InputIds } from './scalar-field.tsx';

interface CodeInputProps {
  ids: InputIds;
  language: CodeLanguage;
  /** Height in lines, at least. */
  rows: number;
  value: string;
  onChange(value: string): void;
  onBlur?(): void;
}

/** Loaded with the first field that needs it. */
let loadedEditor: typeof CodeEditor | undefined;

/** A code editor. Until it is loaded, and if it cannot be loaded, a text area. */
export function CodeInput({ ids, language, rows, value, onChange, onBlur }: CodeInputProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const caret = useRef<[from: number, to: number]>(undefined);
  const [Editor, setEditor] = useState(() => loadedEditor);
  useEffect(() => {
    if (loadedEditor) return;
    loadPart(() => import('./code-editor.tsx')).then(
      ({ CodeEditor: loaded }) => {
        loadedEditor = loaded;
        // A user who is typing continues in the editor.
        const { current } = area;
        if (current && current === document.activeElement) caret.current = [current.selectionStart, current.selectionEnd];
        setEditor(() => loaded);
      },
      () => undefined,
    );
  }, []);
  if (Editor) {
    return (
      <Editor
        ids={ids}
        language={language}
        rows={rows}
        value={value}
        onChange={onChange}
        onBlur={onBlur}
        caret={caret.current}
      />
    );
  }
  return (
    <textarea
      ref={area}
      className="input mono"
      rows={rows}
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onBlur={onBlur}
      {...ids}
    />
  );
}
