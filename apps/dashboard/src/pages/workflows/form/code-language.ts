import type { NodeProperty } from '@sluice/node-sdk/display';

/** `text`: code in a language without a grammar here. */
export type CodeLanguage = 'javascript' | 'python' | 'sql' | 'html' | 'json' | 'text';

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
