import { type AST, RegExpParser } from '@eslint-community/regexpp';

/*
 * Regular expressions that the host may run. V8 backtracks, so a pattern is accepted only if the
 * number of its steps has a known bound, a polynomial of the text's length. What V8 compiles is
 * written from the syntax tree, so that both mean the same pattern.
 */

/** Maximum size of a pattern, in characters with all fixed repetitions written out. */
export const maxPatternSize = 1_000;
/** Maximum number of ways in which a pattern without unlimited repetition matches. */
const maxFactor = 1_000;

/** A pattern that has steps with a known bound. */
export interface BoundedPattern {
  /** As V8 reads it. */
  source: string;
  /** Minimum length of a match. */
  width: number;
  groups: number;
  /** Maximum number of steps in a text, for a search from all positions. */
  stepsIn(length: number): number;
}

/**
 * A part of a pattern. From one position, it matches in at most `factor` ways for each choice of
 * the ends of its `degree` unlimited repetitions.
 */
interface Part {
  source: string;
  width: number;
  size: number;
  factor: number;
  degree: number;
}

/** Thrown for syntax without a known bound, or that engines may read differently. */
class UnboundedPattern extends Error {}

/** `undefined` if the host cannot run the pattern. */
export function boundedPattern(pattern: string, flags: string): BoundedPattern | undefined {
  // Old syntax: octal escapes, references to groups, and control characters.
  if (!/^[gimsu]*$/.test(flags) || /\\[0-9ck]/.test(pattern)) return undefined;
  try {
    const unicode = flags.includes('u');
    const tree = new RegExpParser({ ecmaVersion: 2025 }).parsePattern(pattern, 0, pattern.length, { unicode });
    return new Reading(flags).patternOf(tree);
  } catch (error) {
    const isRefused = error instanceof UnboundedPattern || error instanceof SyntaxError || error instanceof RangeError;
    if (isRefused) return undefined;
    throw error;
  }
}

class Reading {
  readonly #flags: string;
  #groups = 0;

  constructor(flags: string) {
    this.#flags = flags;
  }

  patternOf({ alternatives }: AST.Pattern): BoundedPattern {
    const whole = this.#anyOf(alternatives);
    const { source, width, size, factor, degree } = whole;
    const cost = size * factor;
    const isAnchored = !this.#flags.includes('m') && alternatives.every(({ elements }) => isStart(elements[0]));
    const isLinear = alternatives.length === 1 && endsSurely(flattened(alternatives[0]?.elements ?? []));
    const stepsIn = (length: number) => {
      if (isLinear) return 2 * cost * (length + 1);
      return isAnchored
        ? size * (length + 1) + cost * sortedPositions(length, degree)
        : cost * sortedPositions(length, degree + 1);
    };
    return { source, width, groups: this.#groups, stepsIn };
  }

  #anyOf(alternatives: readonly AST.Alternative[]): Part {
    const parts = alternatives.map(({ elements }) => this.#sequence(elements));
    const sum = (of: (part: Part) => number) => parts.reduce((total, part) => total + of(part), 0);
    return limited({
      source: parts.map(({ source }) => source).join('|'),
      width: Math.min(...parts.map(({ width }) => width)),
      size: sum(({ size }) => size + 1),
      factor: sum(({ factor }) => factor),
      degree: Math.max(...parts.map(({ degree }) => degree)),
    });
  }

  #sequence(elements: readonly AST.Element[]): Part {
    const whole: Part = { source: '', width: 0, size: 0, factor: 1, degree: 0 };
    for (const element of elements) {
      const part = this.#element(element);
      whole.source += part.source;
      whole.width += part.width;
      whole.size += part.size;
      whole.factor *= part.factor;
      whole.degree += part.degree;
      limited(whole);
    }
    return whole;
  }

  #element(element: AST.Element): Part {
    switch (element.type) {
      case 'Character':
      case 'CharacterSet':
        return single(this.#classElement(element));
      case 'CharacterClass': {
        if (hasUnclearDash(element.elements)) throw new UnboundedPattern();
        const elements = element.elements.map((one) => this.#classElement(one));
        return { ...single(`[${element.negate ? '^' : ''}${elements.join('')}]`), size: 1 + elements.length };
      }
      case 'Assertion':
        return { ...single(this.#assertion(element)), width: 0 };
      case 'CapturingGroup': {
        if (element.name !== null) throw new UnboundedPattern();
        this.#groups += 1;
        const inner = this.#anyOf(element.alternatives);
        return { ...inner, source: `(${inner.source})` };
      }
      case 'Group': {
        if (element.modifiers) throw new UnboundedPattern();
        const inner = this.#anyOf(element.alternatives);
        return { ...inner, source: `(?:${inner.source})` };
      }
      case 'Quantifier':
        return repeated(this.#element(element.element), element);
      default:
        throw new UnboundedPattern();
    }
  }

  #classElement(element: AST.CharacterClassElement | AST.CharacterSet): string {
    if (element.type === 'Character') return this.#character(element.value);
    if (element.type === 'CharacterClassRange')
      return `${this.#character(element.min.value)}-${this.#character(element.max.value)}`;
    if (element.type !== 'CharacterSet' || element.kind === 'property') throw new UnboundedPattern();
    if (element.kind === 'any') return '.';
    const letter = { digit: 'd', space: 's', word: 'w' }[element.kind];
    return `\\${element.negate ? letter.toUpperCase() : letter}`;
  }

  /** V8 finds `\B` within characters outside of the basic plane. */
  #assertion(node: AST.Assertion): string {
    if (node.kind === 'start') return '^';
    if (node.kind === 'end') return '$';
    if (node.kind !== 'word' || (node.negate && this.#flags.includes('u'))) throw new UnboundedPattern();
    return node.negate ? String.raw`\B` : String.raw`\b`;
  }

  /**
   * Other letters differ in case by the version of Unicode, and two surrogates would be one
   * character.
   */
  #character(value: number): string {
    const isSurrogate = value >= 0xd800 && value <= 0xdfff;
    if (this.#flags.includes('i') ? value > 0x7f : this.#flags.includes('u') && isSurrogate) throw new UnboundedPattern();
    const hex = value.toString(16);
    return value > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
  }
}

/**
 * Number of lists of `count` positions in a text that do not decrease: starts and ends of
 * repetitions.
 */
function sortedPositions(length: number, count: number): number {
  let lists = 1;
  for (let at = 1; at <= count; at += 1) lists *= (length + at) / at;
  return lists;
}

function single(source: string): Part {
  return { source, width: 1, size: 1, factor: 1, degree: 0 };
}

/** A dash next to a set such as `\s`, which engines may read as a range. */
function hasUnclearDash(elements: readonly AST.CharacterClassElement[]): boolean {
  const inner = elements.slice(1, -1);
  return elements.some(({ type }) => type === 'CharacterSet') && inner.some(({ raw }) => raw === '-');
}

/** Unlimited repetition is accepted only for a part that matches in one way. */
function repeated(part: Part, { min, max, greedy }: AST.Quantifier): Part {
  if (part.width === 0 || part.degree > 0) throw new UnboundedPattern();
  const isUnlimited = max === Number.POSITIVE_INFINITY;
  if (part.factor > 1 && max > 1) throw new UnboundedPattern();
  return limited({
    source: `${part.source}{${min},${isUnlimited ? '' : max}}${greedy ? '' : '?'}`,
    width: part.width * min,
    size: part.size * (isUnlimited ? min + 1 : Math.max(max, 1)),
    factor: isUnlimited ? 1 : part.factor + max - min,
    degree: isUnlimited ? 1 : 0,
  });
}

function limited(part: Part): Part {
  if (part.size > maxPatternSize || part.factor > maxFactor) throw new UnboundedPattern();
  return part;
}

/** The elements, with those of groups that have no alternatives. */
function flattened(elements: readonly AST.Element[]): readonly AST.Element[] {
  return elements.flatMap((element) => {
    const isGroup = element.type === 'Group' || element.type === 'CapturingGroup';
    const [only, ...more] = isGroup ? element.alternatives : [];
    return only && more.length === 0 ? flattened(only.elements) : [element];
  });
}

function isStart(element: AST.Element | undefined): boolean {
  return element?.type === 'Assertion' && element.kind === 'start';
}

/**
 * Whether a match cannot fail after its first unlimited repetition, because only optional parts
 * follow. Then nothing is tried twice, and the search takes linear time.
 */
function endsSurely(elements: readonly AST.Element[]): boolean {
  const [first, ...rest] = elements.slice(elements.findIndex(isUnlimited));
  return first?.type === 'Quantifier' && rest.every((element) => element.type === 'Quantifier' && element.min === 0);
}

function isUnlimited(element: AST.Element): boolean {
  if (element.type === 'Quantifier') return element.max === Number.POSITIVE_INFINITY || isUnlimited(element.element);
  const isGroup = element.type === 'Group' || element.type === 'CapturingGroup';
  return isGroup && element.alternatives.some(({ elements }) => elements.some(isUnlimited));
}
