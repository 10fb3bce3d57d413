import type { NodeType } from '../../../data/node-types.ts';

type Searchable = Pick<NodeType, 'type' | 'displayName' | 'description'> & Partial<Pick<NodeType, 'outputs' | 'deprecated'>>;

/**
 * The types that match a search, best first: start of a name (shorter names first), start of a word
 * of a name, elsewhere in a name, in the description. Types that only serve other nodes, such as
 * tools, come after steps, and deprecated types are last. Types of the same rank keep their order.
 */
export function rankTypes<T extends Searchable>(types: readonly T[], search: string): T[] {
  const words = search.toLowerCase().split(' ').filter(Boolean);
  return types
    .map((type) => ({ type, rank: rankOf(type, words), tier: tierOf(type) }))
    .filter(({ rank }) => rank < noMatch)
    .sort((a, b) => a.tier - b.tier || a.rank - b.rank)
    .map(({ type }) => type);
}

function tierOf({ deprecated = false, outputs = [] }: Searchable): number {
  if (deprecated) return 2;
  return outputs.length > 0 && !outputs.includes('main') ? 1 : 0;
}

const noMatch = 4;

/** 0 is best, below 1 the start of a name; `noMatch`: a word occurs nowhere. */
function rankOf({ type, displayName, description = '' }: Searchable, words: readonly string[]): number {
  if (words.length === 0) return 0;
  // The part after the package is a name too: Edit Fields is `base.set`.
  const names = [displayName, type.split('.').at(-1)?.replaceAll('-', ' ') ?? ''].map((name) => name.toLowerCase());
  const phrase = words.join(' ');
  if (names.some((name) => name.startsWith(phrase))) return 1 - 1 / displayName.split(' ').length;
  return Math.max(...words.map((word) => rankOfWord(word, names, description.toLowerCase())));
}

function rankOfWord(word: string, names: readonly string[], description: string): number {
  if (names.some((name) => ` ${name}`.includes(` ${word}`))) return 1;
  if (names.some((name) => name.includes(word))) return 2;
  return description.includes(word) ? 3 : noMatch;
}
