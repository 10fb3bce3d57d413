import type { NodeProperty } from '@sluice/node-sdk/display';
import type { CodeLanguage } from '../../../ui/code-input.tsx';

/** By `editorLanguage`, else by `editor`. */
const languages: ReadonlyMap<unknown, CodeLanguage> = new Map([
  ['javaScript', 'javascript'],
  ['python', 'python'],
  ['pythonNative', 'python'],
  ['json', 'json'],
  ['codeNodeEditor', 'javascript'],
  ['jsEditor', 'javascript'],
  ['htmlEditor', 'html'],
  ['sqlEditor', 'sql'],
]);

/** The language of a property that holds code; `undefined` for other properties. */
export function codeLanguageOf({ typeOptions = {} }: Pick<NodeProperty, 'typeOptions'>): CodeLanguage | undefined {
  const { editor, editorLanguage } = typeOptions;
  if (typeof editor !== 'string') return undefined;
  return languages.get(editorLanguage) ?? languages.get(editor) ?? 'text';
}
