import type { MarkdownIt, Token } from 'markdown-it';

/* What options add to CommonMark, beside headings and task lists. */

/** `a*b*c` stays as it is: asterisks within a word mean no emphasis, as underscores do. */
export function keepAsterisksInWords(parser: MarkdownIt): void {
  const asterisk = '*';
  parser.inline.State = class extends parser.inline.State {
    override scanDelims(start: number, canSplitWord: boolean) {
      return super.scanDelims(start, canSplitWord && this.src.charAt(start) !== asterisk);
    }
  };
}

/** `<th id="unit_price">` for the title "Unit Price". */
export function addTableHeaderIds(parser: MarkdownIt): void {
  parser.core.ruler.push('table_header_ids', ({ tokens }) => {
    for (const [index, token] of tokens.entries()) {
      const title = tokens[index + 1];
      if (token.type === 'th_open' && title) token.attrSet('id', title.content.trim().replaceAll(' ', '_').toLowerCase());
    }
  });
}

/** A name, at the beginning of a text or behind a blank. */
const mention = /(?<=^|\s)@([a-z\d](?:[\w.-]{0,100}[a-z\d])?)/gi;

/** `@name` becomes a link. `template`: its address, with `{u}` for the name. */
export function linkMentions(parser: MarkdownIt, template: string): void {
  parser.core.ruler.push('mentions', ({ tokens, Token: TokenOf }) => {
    for (const token of tokens) {
      if (token.type === 'inline' && token.children) token.children = outsideLinks(token.children, split);
    }
    function split(text: Token): Token[] {
      const pieces: Token[] = [];
      let end = 0;
      for (const { 0: whole, 1: name = '', index } of text.content.matchAll(mention)) {
        const href = parser.normalizeLink(template.replaceAll('{u}', name));
        if (!parser.validateLink(href)) continue;
        const open = new TokenOf('link_open', 'a', 1);
        open.attrSet('href', href);
        pieces.push(textOf(text.content.slice(end, index)), open, textOf(whole), new TokenOf('link_close', 'a', -1));
        end = index + whole.length;
      }
      return end === 0 ? [text] : [...pieces, textOf(text.content.slice(end))];
    }
    function textOf(content: string): Token {
      const text = new TokenOf('text', '', 0);
      text.content = content;
      return text;
    }
  });
}

/** Texts within links stay as they are. */
function outsideLinks(children: readonly Token[], change: (text: Token) => Token[]): Token[] {
  let depth = 0;
  return children.flatMap((child) => {
    if (child.type === 'link_open') depth++;
    if (child.type === 'link_close') depth--;
    return child.type === 'text' && depth === 0 ? change(child) : [child];
  });
}

/** Takes the indentation of the first line off all lines: a text that stands within code is often indented with it. */
export function unindented(markdown: string): string {
  const depth = /^\s*/.exec(markdown)?.[0].replace(/^[\s\S]*\n/, '').length ?? 0;
  if (depth === 0) return markdown;
  return markdown
    .split('\n')
    .map((line) => line.replace(/^[ \t]+/, (blanks) => blanks.slice(depth)))
    .join('\n');
}
