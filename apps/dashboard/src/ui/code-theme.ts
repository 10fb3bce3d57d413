import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Colors of code, from the variables of the theme. */
export const codeColors = HighlightStyle.define([
  { tag: [tags.keyword, tags.tagName, tags.modifier, tags.operatorKeyword], color: 'var(--json-key)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp, tags.attributeValue], color: 'var(--json-string)' },
  { tag: [tags.number, tags.attributeName, tags.character], color: 'var(--json-number)' },
  { tag: [tags.bool, tags.null, tags.atom, tags.self, tags.escape], color: 'var(--json-literal)' },
  { tag: [tags.comment, tags.meta, tags.processingInstruction], color: 'var(--text-3)' },
  { tag: tags.propertyName, color: 'var(--running)' },
  { tag: tags.invalid, color: 'var(--error)' },
]);

/** In the style of an `.input`. Grows with its lines, up to a part of the window. */
export const codeTheme = EditorView.theme({
  '&': { maxHeight: '60vh', borderRadius: 'inherit', fontSize: 'inherit' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5', borderRadius: 'inherit' },
  '.cm-content': { minHeight: 'calc(var(--rows) * 1.5em + 8px)', caretColor: 'var(--text)' },
  '.cm-gutters': { border: '0', backgroundColor: 'transparent', color: 'var(--text-3)' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--text)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'var(--selected)',
  },
  '&.cm-focused .cm-matchingBracket': {
    backgroundColor: 'transparent',
    outline: '1px solid var(--border-strong)',
  },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'var(--error-bg)' },
  '.cm-tooltip': {
    border: '1px solid var(--border-strong)',
    borderRadius: 'var(--radius)',
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
    boxShadow: 'var(--shadow)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { maxWidth: 'min(460px, 92vw)', fontFamily: 'var(--mono)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '2px 8px', overflow: 'hidden', textOverflow: 'ellipsis' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--selected)', color: 'var(--text)' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-completionDetail': { color: 'var(--text-2)' },
  '.cm-placeholder': { color: 'var(--text-3)' },
  '.cm-searchMatch': { backgroundColor: 'var(--waiting-bg)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--waiting-bg)', outline: '1px solid var(--waiting)' },
  '.cm-panels': { backgroundColor: 'var(--sunken)', color: 'var(--text)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--border)' },
  '.cm-textfield': { border: '1px solid var(--border-strong)', backgroundColor: 'var(--surface)' },
  '.cm-button': {
    border: '1px solid var(--border-strong)',
    backgroundColor: 'var(--raised)',
    backgroundImage: 'none',
  },
  '.cm-panel.cm-search [name=close]': { color: 'var(--text-2)' },
});
