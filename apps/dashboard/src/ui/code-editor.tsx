import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { search, searchKeymap } from '@codemirror/search';
import { Annotation, Compartment, EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightSpecialChars, keymap, lineNumbers, placeholder } from '@codemirror/view';
import { getNonce } from 'get-nonce';
import { type CSSProperties, useId, useLayoutEffect, useRef } from 'react';
import { loadPart } from '../data/connection.ts';
import type { CodeInputProps, CodeLanguage } from './code-input.tsx';
import { codeColors, codeTheme } from './code-theme.ts';
import { cx } from './cx.ts';
import type { FieldIds } from './fields.tsx';

interface CodeEditorProps extends CodeInputProps {
  /** Focuses the editor when it is mounted, with this selection. */
  caret?: readonly [from: number, to: number] | undefined;
}

/** Each language is in a separate chunk. */
const languages: Readonly<Record<CodeLanguage, () => Promise<Extension>>> = {
  html: () => import('@codemirror/lang-html').then(({ html }) => html()),
  javascript: () => import('@codemirror/lang-javascript').then(({ javascript }) => javascript()),
  json: () => import('@codemirror/lang-json').then(({ json }) => json()),
  python: () => import('@codemirror/lang-python').then(({ python }) => python()),
  sql: () => import('@codemirror/lang-sql').then(({ sql }) => sql()),
  text: () => Promise.resolve([]),
};

/** Marks changes that come from the draft, not from the user. */
const isFromDraft = Annotation.define<true>();

/** A code editor, used like a text area. In code, Tab indents; Escape, then Tab leaves it. */
export function CodeEditor(props: CodeEditorProps) {
  const { ids, language, rows, value, placeholder: hint, isText = false } = props;
  const frame = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  /** The last value that the draft and the editor had in common. */
  const syncedValue = useRef(value);
  const attributes = useRef({ compartment: new Compartment(), key: '' });
  const latest = useRef(props);
  latest.current = props;
  const hintId = useId();

  useLayoutEffect(() => {
    const { current: parent } = frame;
    if (!parent) return;
    const { caret, value: doc, extension } = latest.current;
    const loaded = new Compartment();
    syncedValue.current = doc;
    const created = new EditorView({
      parent,
      state: EditorState.create({
        doc,
        extensions: [
          attributes.current.compartment.of([]),
          loaded.of([]),
          basics,
          isText ? [] : codeOnly,
          EditorView.updateListener.of(({ docChanged, selectionSet, transactions, state: { doc: text, selection } }) => {
            if (docChanged || selectionSet) latest.current.onCaret?.(selection.main.head);
            if (!docChanged || transactions.some((one) => one.annotation(isFromDraft))) return;
            syncedValue.current = text.toString();
            latest.current.onChange(syncedValue.current);
          }),
          EditorView.domEventHandlers({ beforeinput: replaceSelection, blur: () => latest.current.onBlur?.() }),
        ],
      }),
    });
    view.current = created;
    attributes.current.key = '';
    loadPart(() => Promise.all([languages[language](), extension?.() ?? []])).then(
      (parts) => view.current === created && created.dispatch({ effects: loaded.reconfigure(parts) }),
      // Code without colors can be edited, too.
      () => undefined,
    );
    if (caret) {
      const [anchor, head] = caret.map((at) => Math.min(at, created.state.doc.length)) as [number, number];
      created.dispatch({ selection: { anchor, head } });
      created.focus();
    }
    // A `label` focuses form elements only.
    const label = document.getElementById(`${latest.current.ids.id}-label`);
    const focus = () => created.focus();
    label?.addEventListener('click', focus);
    return () => {
      label?.removeEventListener('click', focus);
      view.current = undefined;
      created.destroy();
    };
  }, [language, isText]);

  useLayoutEffect(() => {
    if (value === syncedValue.current) return;
    syncedValue.current = value;
    if (view.current) follow(view.current, value);
  }, [value]);

  // After each render: whether the form is disabled is known from the page only.
  useLayoutEffect(() => {
    const isReadOnly = frame.current?.closest('fieldset:disabled') !== null;
    const next = attributesOf(ids, isReadOnly || isText ? undefined : hintId, isReadOnly);
    const key = JSON.stringify([next, hint]);
    if (key === attributes.current.key) return;
    attributes.current.key = key;
    view.current?.dispatch({
      effects: attributes.current.compartment.reconfigure([
        EditorView.contentAttributes.of(next),
        EditorView.editable.of(!isReadOnly),
        EditorState.readOnly.of(isReadOnly),
        hint ? placeholder(hint) : [],
      ]),
    });
  });

  return (
    <div className="code-editor" data-invalid={ids['aria-invalid']}>
      <div ref={frame} className={cx('code-frame', isText && 'is-text')} style={{ '--rows': rows } as CSSProperties} />
      {!isText && (
        <p id={hintId} className="code-hint">
          Tab indents. To leave the field, press Escape, then Tab.
        </p>
      )}
    </div>
  );
}

const basics: Extension = [
  // The content security policy admits style sheets with the nonce of the page.
  EditorView.cspNonce.of(getNonce() ?? ''),
  highlightSpecialChars(),
  history(),
  drawSelection(),
  bracketMatching(),
  EditorView.lineWrapping,
  syntaxHighlighting(codeColors),
  codeTheme,
  keymap.of([...historyKeymap, ...defaultKeymap]),
];

const codeOnly: Extension = [
  lineNumbers(),
  indentOnInput(),
  search({ top: true }),
  keymap.of([...searchKeymap, indentWithTab]),
];

/** Applies a value of the draft. Text that stays the same keeps the caret and the undo history. */
function follow(view: EditorView, value: string): void {
  const { doc, selection } = view.state;
  const before = doc.toString();
  const shorter = Math.min(before.length, value.length);
  let start = 0;
  while (start < shorter && before[start] === value[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === value.at(-1 - end)) end += 1;
  const changes = { from: start, to: before.length - end, insert: value.slice(start, value.length - end) };
  // After an insertion at the caret, the user continues after it.
  const isAtCaret = selection.main.empty && selection.main.head === start;
  view.dispatch({
    changes,
    ...(isAtCaret && { selection: { anchor: start + changes.insert.length } }),
    annotations: isFromDraft.of(true),
  });
}

/**
 * Replaces selected text. Chromium would give the new text the inline style of the replaced text,
 * which the content security policy blocks and reports.
 */
function replaceSelection(event: InputEvent, view: EditorView): boolean {
  const { inputType, data, isComposing } = event;
  const { state } = view;
  if (inputType !== 'insertText' || data === null || isComposing || state.readOnly) return false;
  const { from, to } = state.selection.main.empty ? targetOf(event, view) : state.selection.main;
  if (from === to) return false;
  const insert = state.toText(data);
  const selection = { anchor: from + insert.length };
  view.dispatch({ changes: { from, to, insert }, selection, userEvent: 'input.type', scrollIntoView: true });
  return true;
}

/** The range that the browser replaces, which may be newer than the editor's own selection. */
function targetOf(event: InputEvent, view: EditorView): { from: number; to: number } {
  const [range] = event.getTargetRanges();
  if (!range || range.collapsed) return { from: 0, to: 0 };
  const { startContainer, startOffset, endContainer, endOffset } = range;
  return { from: view.posAtDOM(startContainer, startOffset), to: view.posAtDOM(endContainer, endOffset) };
}

function attributesOf(ids: FieldIds, hintId: string | undefined, isReadOnly: boolean): Record<string, string> {
  const { id, required, 'aria-invalid': isInvalid, 'aria-describedby': describedBy } = ids;
  return {
    id,
    'aria-labelledby': `${id}-label`,
    'aria-describedby': [describedBy, hintId].filter(Boolean).join(' '),
    spellcheck: 'false',
    ...(required && { 'aria-required': 'true' }),
    ...(isInvalid && { 'aria-invalid': 'true' }),
    // Keyboard users scroll it.
    ...(isReadOnly && { 'aria-readonly': 'true', tabindex: '0' }),
  };
}
