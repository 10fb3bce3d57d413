import { expect, test } from '@jest/globals';
import { codeLanguageOf } from './code-language.ts';

test.each([
  [{ editor: 'codeNodeEditor', editorLanguage: 'javaScript' }, 'javascript'],
  [{ editor: 'codeNodeEditor', editorLanguage: 'python' }, 'python'],
  [{ editor: 'codeNodeEditor' }, 'javascript'],
  [{ editor: 'jsEditor' }, 'javascript'],
  [{ editor: 'htmlEditor' }, 'html'],
  [{ editor: 'sqlEditor' }, 'sql'],
  [{ editor: 'constructor' }, 'text'],
  [{ rows: 4 }, undefined],
  [undefined, undefined],
])('the language for %j is %s', (typeOptions, language) => {
  expect(codeLanguageOf({ ...(typeOptions && { typeOptions }) })).toBe(language);
});
