import type { ExecuteContext, UnsupportedUse } from '@sluice/node-sdk';
import type { MarkdownIt, Token } from 'markdown-it';
import { booleanParameter, numberParameter, refuseUnsupported, textParameter } from '../../shared/parameters.ts';
import { type HeadingIdRules, HeadingIds } from './heading-ids.ts';
import { addTableHeaderIds, keepAsterisksInWords, linkMentions, unindented } from './markdown-extensions.ts';

export const unsupportedUses: readonly UnsupportedUse[] = [
  { parameter: 'options.emoji', what: 'the option "emoji"', hint: 'Write the characters themselves, and switch it off' },
  {
    parameter: 'options.parseImgDimensions',
    what: 'the option "parseImgDimensions"',
    hint: 'Write such an image as HTML, and switch it off',
  },
];

/** HTML of Markdown, CommonMark with the extensions that options switch on. HTML in the Markdown stays as it is. */
export async function markdownToHtml(context: ExecuteContext, markdown: string, itemIndex: number): Promise<string> {
  const flag = (name: string, fallback = false) => booleanParameter(context, `options.${name}`, itemIndex, fallback);
  refuseUnsupported(context, unsupportedUses, itemIndex);
  const { default: Markdown } = await import('markdown-it');
  const parser = new Markdown({ html: true, linkify: flag('simplifiedAutoLink'), breaks: flag('simpleLineBreaks') });
  if (!flag('tables')) parser.disable('table');
  if (!flag('strikethrough')) parser.disable('strikethrough');
  if (!flag('ghCodeBlocks', true)) parser.disable('fence');
  if (flag('openLinksInNewWindow')) openLinksInNewWindow(parser);
  if (flag('tasklists')) addTaskLists(parser);
  if (flag('literalMidWordAsterisks')) keepAsterisksInWords(parser);
  if (flag('tablesHeaderId')) addTableHeaderIds(parser);
  if (flag('ghMentions'))
    linkMentions(parser, textParameter(context, 'options.ghMentionsLink', itemIndex) || 'https://github.com/{u}');
  addHeadings(
    parser,
    readHeadingRules(context, itemIndex, flag),
    numberParameter(context, 'options.headerLevelStart', itemIndex, 1),
  );
  const html = parser.render(flag('smartIndentationFix') ? unindented(markdown) : markdown).trimEnd();
  return flag('completeHTMLDocument') ? wholeDocument(html) : html;
}

function readHeadingRules(context: ExecuteContext, itemIndex: number, flag: (name: string) => boolean): HeadingIdRules {
  const prefix = textParameter(context, 'options.prefixHeaderId', itemIndex);
  return {
    none: flag('noHeaderId'),
    dashes: flag('ghCompatibleHeaderId'),
    raw: flag('rawHeaderId'),
    prefix: flag('rawPrefixHeaderId') ? prefix : prefix.replace(/[\s"'<>&]/g, '-'),
    customized: flag('customizedHeaderId'),
  };
}

function addHeadings(parser: MarkdownIt, rules: HeadingIdRules, start: number): void {
  const shift = Math.floor(start) - 1;
  parser.core.ruler.push('headings', ({ tokens }) => {
    const ids = new HeadingIds(rules);
    for (const [index, token] of tokens.entries()) {
      if (token.type === 'heading_open' || token.type === 'heading_close') token.tag = shiftedTag(token.tag, shift);
      const title = tokens[index + 1];
      if (token.type !== 'heading_open' || rules.none || !title) continue;
      token.attrSet('id', (rules.customized && takeOwnId(title)) || ids.next(title.content));
    }
  });
}

function shiftedTag(tag: string, shift: number): string {
  return `h${Math.min(Math.max(Number(tag.slice(1)) + shift, 1), 6)}`;
}

/** The id that a title names, `Title {id}`, taken out of it. */
function takeOwnId({ content, children }: Token): string | undefined {
  const own = /\{([^{}]{1,200})\}$/.exec(content)?.[1];
  const last = children?.at(-1);
  if (own !== undefined && last?.type === 'text') last.content = last.content.replace(/\{[^{}]*\}$/, '').trimEnd();
  return own;
}

function openLinksInNewWindow(parser: MarkdownIt): void {
  parser.renderer.rules['link_open'] = (tokens, index, options, _environment, self) => {
    tokens[index]?.attrSet('rel', 'noopener noreferrer');
    tokens[index]?.attrSet('target', '_blank');
    return self.renderToken(tokens, index, options);
  };
}

/** `- [x] text`: the box becomes a checkbox that cannot be changed. */
function addTaskLists(parser: MarkdownIt): void {
  parser.core.ruler.push('task_lists', ({ tokens, Token }) => {
    for (const [index, { type, children }] of tokens.entries()) {
      const first = children?.[0];
      const isEntry = type === 'inline' && tokens[index - 2]?.type === 'list_item_open';
      const box = isEntry && first?.type === 'text' ? /^\[([ xX])\] /.exec(first.content) : null;
      if (!box || !first || !children) continue;
      first.content = first.content.slice(4);
      const checkbox = new Token('html_inline', '', 0);
      checkbox.content = `<input type="checkbox" disabled${box[1] === ' ' ? '' : ' checked'}> `;
      children.unshift(checkbox);
    }
  });
}

function wholeDocument(body: string): string {
  return `<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n</head>\n<body>\n${body}\n</body>\n</html>`;
}
