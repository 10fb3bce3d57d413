import type { JsonObject, JsonValue } from '@sluice/domain';
import {
  type HostPart,
  maxSourceLength,
  maxSourcesLength,
  parseTemplate,
  TemplateError,
  type TemplatePart,
} from '@sluice/expressions';
import { ExpressionError } from '../errors.ts';
import { refusal } from '../guest/messages.ts';
import { forbiddenName } from '../host-language/forbidden-names.ts';
import { hostLanguage, isPath } from '../host-language/host-language.ts';
import type { ScopePath } from '../host-language/parse-path.ts';
import type { ScopeExpression, ScopeRead } from '../host-language/scope-read.ts';
import { maxDepth, maxHostSources, maxHostSourcesLength } from '../limits.ts';
import { CompiledTree } from './compiled-tree.ts';
import type { BatchLeaf, ExpressionLeaf, HostLeaf, ParameterTree, StaticTree } from './parameter-tree.ts';

/**
 * Finds and parses the expressions of a parameter tree. Throws an `ExpressionError` only for a tree
 * that is nested too deeply or has too many strings with expressions; an expression that does not
 * parse is an error where its parameter is read.
 */
export function compileParameters(parameters: JsonObject): CompiledTree {
  const compilation = new Compilation();
  return new CompiledTree(compilation.value(parameters), compilation.batch);
}

const tooMuchSource = `the expressions of this node are longer than ${maxSourcesLength} characters in all`;

/** Maximum number of strings with expressions in a node: compiling each takes some microseconds. */
const maxTexts = 10_000;

/**
 * Maximum length of a path in an error: 10,000 strings may be nested below names that are megabytes
 * long.
 */
const maxPathLength = 1_000;

/** Compiles one tree. Its sources share the host's parse limits. */
class Compilation {
  readonly batch: BatchLeaf[] = [];
  #hostSources = maxHostSources;
  #hostLength = maxHostSourcesLength;
  #sourcesLength = 0;
  #texts = 0;
  /** Path of the current value: changed in place, because a tree may have a million values. */
  readonly #path: (string | number)[] = [];

  value(value: JsonValue): ParameterTree {
    if (this.#path.length > maxDepth)
      throw new ExpressionError({ message: 'parameters are nested too deeply', parameter: String(this.#path[0]) });
    if (typeof value === 'string') return value.startsWith('=') ? this.#text(value.slice(1)) : fixed(value);
    if (typeof value !== 'object' || value === null || isPlain(value)) return fixed(value);
    return Array.isArray(value) ? this.#array(value) : this.#object(value);
  }

  #member(key: string | number, value: JsonValue): ParameterTree {
    this.#path.push(key);
    const tree = this.value(value);
    this.#path.pop();
    return tree;
  }

  #array(array: JsonValue[]): ParameterTree {
    const elements = array.map((element, index) => this.#member(index, element));
    if (!elements.every(isStatic)) return { kind: 'array', elements };
    return fixed(elements.every(({ value }, index) => value === array[index]) ? array : elements.map(({ value }) => value));
  }

  #object(object: JsonObject): ParameterTree {
    const members = Object.entries(object).map(([key, member]) => {
      return { key, before: member, tree: this.#member(key, member) };
    });
    const statics = members.flatMap(({ key, before, tree }) => (isStatic(tree) ? [{ key, before, value: tree.value }] : []));
    if (statics.length < members.length)
      return { kind: 'object', entries: new Map(members.map(({ key, tree }) => [key, tree])) };
    const unchanged = statics.every(({ before, value }) => before === value);
    return fixed(unchanged ? object : Object.fromEntries(statics.map(({ key, value }) => [key, value])));
  }

  #text(text: string): ParameterTree {
    if (!text.includes('{{')) return fixed(text);
    if (this.#sourcesLength > maxSourcesLength) return this.#refused(tooMuchSource);
    try {
      const parts = parseTemplate(text);
      const sources = sourcesOf(parts);
      if (sources.length === 0) return fixed(text);
      const message = this.#refusalOf(sources);
      return message === undefined ? this.#leaf(parts, this.#countedPath()) : this.#refused(message);
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      this.#sourcesLength += Math.min(text.length, maxSourceLength);
      return this.#refused(error.message);
    }
  }

  #refused(message: string): ParameterTree {
    return { kind: 'refused', path: this.#countedPath(), message };
  }

  /**
   * The path of a string with expressions. Other strings need no path: a large tree may have a
   * million.
   */
  #countedPath(): string {
    const path = this.#shownPath();
    if (++this.#texts > maxTexts)
      throw new ExpressionError({ message: `this node has more than ${maxTexts} strings with expressions`, parameter: path });
    return path;
  }

  /** The path of the current value, as shown in errors. */
  #shownPath(): string {
    let path = '';
    for (const [depth, key] of this.#path.entries()) {
      path += `${depth === 0 ? '' : '.'}${String(key).slice(0, maxPathLength)}`;
      if (path.length > maxPathLength) return `${path.slice(0, maxPathLength)}…`;
    }
    return path;
  }

  #refusalOf(sources: readonly string[]): string | undefined {
    for (const source of sources) {
      if (source.length > maxSourceLength) return `the expression is longer than ${maxSourceLength} characters`;
      const name = forbiddenName(source);
      if (name !== undefined) return refusal(name);
      this.#sourcesLength += source.length;
    }
    return this.#sourcesLength > maxSourcesLength ? tooMuchSource : undefined;
  }

  #leaf(parts: TemplatePart[], path: string): ExpressionLeaf {
    const host = this.#hostLeaf(parts);
    const guest = { parts, whole: parts.length === 1, mayMutate: sourcesOf(parts).some(mayMutate) };
    const leaf = host ? { guest, host } : { guest };
    const [first] = host?.parts ?? [];
    if (host?.whole && first && 'expression' in first) {
      const { expression } = first;
      if (expression.kind === 'literal' || (isPath(expression) && !readsParameters(expression.read)))
        return { kind: 'reference', path, expression, leaf };
    }
    this.batch.push(leaf);
    return { kind: 'batch', path, leafIndex: this.batch.length - 1 };
  }

  /**
   * `undefined` if an expression needs the guest, because the guest then evaluates the whole
   * string.
   */
  #hostLeaf(parts: readonly TemplatePart[]): HostLeaf | undefined {
    const hostParts: HostPart<ScopeRead>[] = [];
    let hasOperators = false;
    for (const part of parts) {
      if ('text' in part) hostParts.push(part);
      else {
        const expression = this.#hostExpression(part.source);
        if (!expression) return undefined;
        hasOperators ||= expression.kind !== 'literal' && !isPath(expression);
        hostParts.push({ expression });
      }
    }
    return { parts: hostParts, whole: parts.length === 1, hasOperators };
  }

  #hostExpression(source: string): ScopeExpression | undefined {
    this.#hostSources -= 1;
    this.#hostLength -= source.length;
    return this.#hostSources < 0 || this.#hostLength < 0 ? undefined : hostLanguage.expressionOf(source);
  }
}

/** Whether a path refers to another parameter, whose expression may need the guest. */
function readsParameters({ root }: ScopePath): boolean {
  return root.kind === 'scope' && root.name === '$parameter';
}

/**
 * Whether no member of an array or object can be or contain an expression, as in most of a large
 * tree.
 */
function isPlain(value: JsonObject | JsonValue[]): boolean {
  const members = Array.isArray(value) ? value : Object.values(value);
  return members.every((member) =>
    typeof member === 'string' ? !member.startsWith('=') : typeof member !== 'object' || member === null || isEmpty(member),
  );
}

function isEmpty(value: object): boolean {
  for (const _ in value) return false;
  return true;
}

function fixed(value: JsonValue): StaticTree {
  return { kind: 'static', value };
}

function isStatic(tree: ParameterTree): tree is StaticTree {
  return tree.kind === 'static';
}

function sourcesOf(parts: readonly TemplatePart[]): string[] {
  return parts.flatMap((part) => ('source' in part ? [part.source] : []));
}

const mutators = /\b(?:sort|reverse|splice|push|pop|shift|unshift|fill|copyWithin|assign|delete|set\w*|define\w*)\b/;
const assignment = /[^=!<>]=(?![=>])|[<>]{2}=|\+\+|--/;

/**
 * Whether evaluating the source may change the data that it reads. True when in doubt, at the cost
 * of a copy.
 */
function mayMutate(source: string): boolean {
  return mutators.test(source) || assignment.test(source);
}
