import { NodeOperationError } from '@sluice/node-sdk';
import type { CheerioAPI } from 'cheerio';
import type { AnyNode } from 'domhandler';

/** Bounds of HTML from outside. The parser's time grows with depth times size, so that a small text could hold a process for minutes. */
export interface HtmlLimits {
  maxLength: number;
  maxElements: number;
  maxDepth: number;
}

export const htmlLimits: HtmlLimits = { maxLength: 10_000_000, maxElements: 100_000, maxDepth: 256 };

/**
 * The document that a browser would make of a text. Throws a `NodeOperationError` that says which bound is passed, as soon as the parser
 * comes to it: elements are counted as they are made, depth as they are opened. Markup that is closed in the wrong order is moved about
 * afterwards, so the tree is measured once more.
 */
export async function parseHtml(html: string, itemIndex: number, limits: HtmlLimits = htmlLimits): Promise<CheerioAPI> {
  const { maxLength, maxElements, maxDepth } = limits;
  if (html.length > maxLength) throw tooMuch(`has more than ${maxLength} characters`, itemIndex);
  const [{ load }, { adapter }] = await Promise.all([import('cheerio'), import('parse5-htmlparser2-tree-adapter')]);
  const tooDeep = () => tooMuch(`is nested more than ${maxDepth} elements deep`, itemIndex);
  let elements = 0;
  let open = 0;
  const counting: typeof adapter = {
    ...adapter,
    createElement(...parts) {
      if (++elements > maxElements) throw tooMuch(`has more than ${maxElements} elements`, itemIndex);
      return adapter.createElement(...parts);
    },
    onItemPush() {
      if (++open > maxDepth) throw tooDeep();
    },
    onItemPop() {
      open--;
    },
  };
  const document = load(html, { treeAdapter: counting });
  if (isDeeper(document.root().toArray(), maxDepth)) throw tooDeep();
  return document;
}

/** Without recursion, which is what too deep a tree would break. */
function isDeeper(roots: readonly AnyNode[], maxDepth: number): boolean {
  let level = roots;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth + 1) return true;
    level = level.flatMap((node) => ('children' in node ? node.children : []));
  }
  return false;
}

function tooMuch(problem: string, itemIndex: number): NodeOperationError {
  return new NodeOperationError(`the HTML ${problem}`, {
    itemIndex,
    description: 'Cut out the part that is needed first, or use a Code node',
  });
}
