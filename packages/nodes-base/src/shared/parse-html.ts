import { NodeOperationError } from '@sluice/node-sdk';
import type { CheerioAPI } from 'cheerio';
import type { AnyNode } from 'domhandler';

/**
 * Limits for external HTML. The parser's time grows with depth times size, so small text could
 * block a process for minutes.
 */
export interface HtmlLimits {
  maxLength: number;
  maxElements: number;
  maxDepth: number;
}

export const htmlLimits: HtmlLimits = { maxLength: 10_000_000, maxElements: 100_000, maxDepth: 256 };

/**
 * Parses text into the document that a browser would build. Throws a `NodeOperationError` with the
 * exceeded limit as soon as the parser reaches it: elements are counted when created, depth when
 * opened. Incorrectly nested markup is moved afterwards, so the depth is measured again at the end.
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

/** Not recursive, since a deep tree would overflow the stack. */
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
    description: 'Extract the part that you need first, or use a Code node',
  });
}
