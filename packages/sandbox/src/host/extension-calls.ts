import { type AnyNode, type CallExpression, type Expression, type MemberExpression, parseExpressionAt } from 'acorn';
import QuickLRU from 'quick-lru';
import { cached } from './cached.ts';

/** Maximum length of a cached source. */
const maxCachedLength = 2_000;
const cachedSources = 500;

interface Edit {
  start: number;
  end: number;
  text: string;
}

/**
 * Rewrites calls `value.name(…)` of extension methods to `$callMethod(value, "name", …)`, so that
 * values have these methods without changes to prototypes: `$json.values` remains undefined if the
 * data has no such field, and `isEmpty()` works on a missing value. The source is parsed but not
 * run here; invalid source is unchanged.
 */
export class ExtensionCalls {
  readonly #names: ReadonlySet<string>;
  /** Finds sources that are worth parsing. */
  readonly #mention: RegExp;
  readonly #rewritten = new QuickLRU<string, string>({ maxSize: cachedSources });

  constructor(names: readonly string[]) {
    this.#names = new Set(names);
    this.#mention = new RegExp(String.raw`\.\s*(?:${names.join('|')})\s*(?:\?\.\s*)?\(`);
  }

  rewrite(source: string): string {
    if (!this.#mention.test(source)) return source;
    if (source.length > maxCachedLength) return this.#rewrite(source);
    return cached(this.#rewritten, source, () => this.#rewrite(source));
  }

  #rewrite(source: string): string {
    try {
      const tree = parseExpressionAt(source, 0, { ecmaVersion: 'latest', preserveParens: true });
      const edits: Edit[] = [];
      this.#collect(tree, source, edits);
      return applyEdits(source, edits);
    } catch {
      return source;
    }
  }

  /**
   * Outer calls precede the calls inside them, because at the same position their text must come
   * first.
   */
  #collect(node: AnyNode, source: string, edits: Edit[]): void {
    if (node.type === 'CallExpression') edits.push(...this.#editsOf(node, source));
    for (const child of childrenOf(node)) this.#collect(child, source, edits);
  }

  #editsOf(call: CallExpression, source: string): Edit[] {
    const callee = extensionCallee(call, this.#names);
    if (!callee) return [];
    const { object, property } = callee;
    const open = source.indexOf('(', property.end);
    const between = source.slice(property.end, open);
    if (open < 0 || !/^\s*(?:\?\.\s*)?$/.test(between)) return [];
    const name = JSON.stringify(property.name);
    const isOptional = callee.optional || call.optional || isInOptionalChain(object);
    if (isOptional) {
      const tail = { start: object.end, end: open + 1, text: `, ${name})?.(` };
      return [{ start: object.start, end: object.start, text: '$optionalMethod(' }, tail];
    }
    const tail = { start: object.end, end: open + 1, text: `, ${name}${call.arguments.length > 0 ? ', ' : ''}` };
    return [{ start: object.start, end: object.start, text: '$callMethod(' }, tail];
  }
}

type ExtensionCallee = MemberExpression & { object: Expression; property: { name: string; end: number } };

function extensionCallee({ callee }: CallExpression, names: ReadonlySet<string>): ExtensionCallee | undefined {
  if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier') return undefined;
  if (callee.object.type === 'Super' || isLibrary(callee.object)) return undefined;
  return names.has(callee.property.name) ? (callee as ExtensionCallee) : undefined;
}

/** `Math.max()`, `Object.keys()`, `DateTime.…`: capitalized names have their own methods. */
function isLibrary(object: Expression): boolean {
  return object.type === 'Identifier' && /^[A-Z]/.test(object.name);
}

/** Whether a `?.` further left may end the call's chain. */
export function isInOptionalChain(object: Expression): boolean {
  let node: AnyNode = object;
  while (node.type === 'MemberExpression' || node.type === 'CallExpression') {
    if (node.optional) return true;
    node = node.type === 'MemberExpression' ? node.object : node.callee;
  }
  return false;
}

function childrenOf(node: AnyNode): AnyNode[] {
  return Object.values(node).flat().filter(isNode);
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function applyEdits(source: string, edits: Edit[]): string {
  let text = '';
  let position = 0;
  for (const { start, end, text: inserted } of edits.toSorted((a, b) => a.start - b.start)) {
    text += source.slice(position, start) + inserted;
    position = end;
  }
  return text + source.slice(position);
}
