import { NodeOperationError, ownProperty } from '@sluice/node-sdk';

const plain = ['\n\n', '\n', ' ', ''];
const starts = (...words: string[]) => words.map((word) => `\n${word} `);
const blocks = starts('if', 'for', 'while', 'switch', 'case');

/** Language → separators that precede the usual ones. */
export const separatorsOfLanguages: Readonly<Record<string, readonly string[]>> = {
  cpp: [...starts('class', 'void', 'int', 'float', 'double'), ...blocks],
  go: [...starts('func', 'var', 'const', 'type'), ...blocks],
  html: ['<body>', '<div>', '<p>', '<br>', '<li>', '<h1>', '<h2>', '<h3>', '<h4>', '<h5>', '<h6>', '<table>', '<tr>', '<td>'],
  java: [...starts('class', 'public', 'protected', 'private', 'static'), ...blocks],
  js: [...starts('function', 'const', 'let', 'var', 'class'), ...blocks, '\ndefault '],
  latex: ['chapter', 'section', 'subsection', 'subsubsection', 'begin'].map((name) => `\n\\${name}{`),
  markdown: ['\n# ', '\n## ', '\n### ', '\n#### ', '\n##### ', '\n###### ', '```\n\n', '\n\n***\n\n', '\n\n---\n\n'],
  php: [...starts('function', 'class'), ...blocks, '\nforeach '],
  proto: starts('message', 'service', 'enum', 'option', 'import', 'syntax'),
  python: ['\nclass ', '\ndef ', '\n\tdef ', '\n    def '],
  rst: ['\n===\n', '\n---\n', '\n***\n', '\n.. '],
  ruby: [...starts('def', 'class', 'if', 'unless', 'while', 'for', 'do', 'begin', 'rescue')],
  rust: [...starts('fn', 'const', 'let', 'if', 'while', 'for', 'loop', 'match')],
  scala: [...starts('class', 'object', 'def', 'val', 'var'), ...blocks, '\nmatch '],
  swift: [...starts('func', 'class', 'struct', 'enum'), ...blocks, '\ndo '],
};

/** Separators of a language; default: those for plain text. */
export function separatorsOf(language: string, itemIndex: number): readonly string[] {
  if (language === '') return plain;
  const own = ownProperty(separatorsOfLanguages, language);
  if (own) return [...own, ...plain];
  throw new NodeOperationError(`the splitter does not support the language "${language}"`, {
    itemIndex,
    description: `Languages: ${Object.keys(separatorsOfLanguages).join(', ')}`,
  });
}
