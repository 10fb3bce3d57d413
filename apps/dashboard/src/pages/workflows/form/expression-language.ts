import {
  acceptCompletion,
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { javascriptLanguage } from '@codemirror/lang-javascript';
import { defineLanguageFacet, Language, languageDataProp, syntaxTree } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { keymap } from '@codemirror/view';
import { type Input, NodeType, Parser, type PartialParse, parseMixed, Tree, type TreeFragment } from '@lezer/common';
import { sourceRanges } from '@sluice/node-sdk/display';
import { type Completions, completeExpression, type ExpressionData } from './complete-expression.ts';

const javascript = javascriptLanguage.parser.configure({ top: 'SingleExpression' });
const languageData = defineLanguageFacet({ closeBrackets: { brackets: ['{'] } });
const templateType = NodeType.define({ id: 0, name: 'Template', top: true, props: [[languageDataProp, languageData]] });
const expressionType = NodeType.define({ id: 1, name: 'Expression' });

const withJavaScript = parseMixed(({ type }) => (type === expressionType ? { parser: javascript } : null));

/** Parses text with JavaScript in `{{ }}`. Reads all of it at each change: templates are short. */
class TemplateParser extends Parser {
  createParse(input: Input, fragments: readonly TreeFragment[], ranges: readonly { from: number; to: number }[]): PartialParse {
    const outer: PartialParse = {
      parsedPos: input.length,
      stoppedAt: null,
      stopAt: () => undefined,
      advance: () => templateTree(input.read(0, input.length)),
    };
    return withJavaScript(outer, input, fragments, ranges);
  }
}

function templateTree(text: string): Tree {
  const sources = rangesOf(text).filter(({ from, to }) => to > from);
  const children = sources.map(({ from, to }) => new Tree(expressionType, [], [], to - from));
  return new Tree(
    templateType,
    children,
    sources.map(({ from }) => from),
    text.length,
  );
}

/** Ranges of the expressions in a template, the last of which may be incomplete. */
function rangesOf(text: string): { from: number; to: number }[] {
  try {
    const ranges = [...sourceRanges(text)];
    const end = (ranges.at(-1)?.to ?? -2) + 2;
    const open = text.indexOf('{{', end);
    return open < 0 ? ranges : [...ranges, { from: open + 2, to: text.length }];
  } catch {
    // It is nested too deeply; the preview shows the error.
    return [];
  }
}

const templateLanguage = new Language(languageData, new TemplateParser(), [], 'template');

/** Text with expressions: colors, closing braces, and completion with the data of `dataOf`. */
export function expressionTemplate(dataOf: () => ExpressionData): Extension {
  const complete = (context: CompletionContext) => completeTemplate(context, dataOf);
  return [templateLanguage, closeBrackets(), keymap.of(closeBracketsKeymap), completion(complete)];
}

/** Completion in JavaScript code, which has the same names. */
export function codeCompletion(dataOf: () => ExpressionData): Extension {
  const complete = (context: CompletionContext) => completeCode(context, dataOf);
  return [completion(), javascriptLanguage.data.of({ autocomplete: complete })];
}

/** Enter and Tab accept a choice. Otherwise, Tab has the meaning of the field. */
function completion(complete?: (context: CompletionContext) => CompletionResult | null): Extension {
  return [
    autocompletion({ icons: false, ...(complete && { override: [complete] }) }),
    keymap.of([...completionKeymap, { key: 'Tab', run: acceptCompletion }]),
  ];
}

export function completeTemplate(context: CompletionContext, dataOf: () => ExpressionData): CompletionResult | null {
  const { state, pos } = context;
  const text = state.doc.toString();
  const range = rangesOf(text).find(({ from, to }) => from <= pos && pos <= to);
  if (!range) return null;
  // Text after the caret must not change the meaning of the text before it.
  const source = text.slice(range.from, pos);
  const read = (from: number, to: number) => source.slice(from, to);
  const node = javascript.parse(source).resolveInner(source.length, -1);
  const completions = completeExpression(node, source.length, { read, data: dataOf() });
  return toResult(completions ?? atStart(context, source, dataOf()), range.from);
}

/** After a space or an operator, at the user's request: all names. */
function atStart({ explicit }: CompletionContext, source: string, data: ExpressionData): Completions | undefined {
  if (!explicit || /[\w$.'"`\])]$/.test(source.trimEnd())) return undefined;
  const named = javascript.parse(`${source}$`);
  const read = (from: number, to: number) => `${source}$`.slice(from, to);
  const all = completeExpression(named.resolveInner(source.length + 1, -1), source.length + 1, { read, data });
  return all && { ...all, from: source.length };
}

function completeCode({ state, pos }: CompletionContext, dataOf: () => ExpressionData): CompletionResult | null {
  const node = syntaxTree(state).resolveInner(pos, -1);
  const read = (from: number, to: number) => state.sliceDoc(from, to);
  // Other names are completed by the language.
  if (node.name === 'VariableName' && !read(node.from, pos).startsWith('$')) return null;
  return toResult(completeExpression(node, pos, { read, data: dataOf() }), 0);
}

function toResult(completions: Completions | undefined, offset: number): CompletionResult | null {
  if (!completions || completions.options.length === 0) return null;
  return { from: completions.from + offset, options: completions.options, validFor: /^[\w$]*$/ };
}
