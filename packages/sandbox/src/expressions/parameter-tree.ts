import type { JsonValue } from '@sluice/domain';
import type { HostExpression, HostPart } from '@sluice/expressions';
import type { ScopePath } from '../host-language/parse-path.ts';
import type { ScopeRead } from '../host-language/scope-read.ts';
import type { GuestLeaf } from '../protocol.ts';

/** A parameter string that the host may be able to evaluate. */
export interface HostLeaf {
  parts: readonly HostPart<ScopeRead>[];
  /** Whether the whole string is one `{{ }}`, whose value keeps its type. */
  whole: boolean;
  /** Whether it contains more than paths and literals. */
  hasOperators: boolean;
}

/** A parameter string that is evaluated for all items before its node runs. */
export interface BatchLeaf {
  guest: GuestLeaf;
  /** Absent: only the guest can evaluate it. */
  host?: HostLeaf;
}

interface Leaf {
  /** Dotted path of the parameter. */
  path: string;
}

/**
 * A parameter that is a single path or literal. Its value already exists, so it is read when the
 * node requests it.
 */
export interface ReferenceLeaf extends Leaf {
  kind: 'reference';
  /** For another parameter that reads this parameter. */
  leaf: BatchLeaf;
  expression: HostExpression<ScopePath> & { kind: 'literal' | 'read' };
}

/** A parameter string of the batch, by its index there. */
export interface BatchLeafPlace extends Leaf {
  kind: 'batch';
  leafIndex: number;
}

/** A parameter string that is rejected. */
interface RefusedLeaf extends Leaf {
  kind: 'refused';
  message: string;
}

export type ExpressionLeaf = ReferenceLeaf | BatchLeafPlace | RefusedLeaf;

export interface StaticTree {
  kind: 'static';
  value: JsonValue;
}

/** A parameter tree in which all parts without expressions are one shared value. */
export type ParameterTree =
  | StaticTree
  | { kind: 'object'; entries: ReadonlyMap<string, ParameterTree> }
  | { kind: 'array'; elements: readonly ParameterTree[] }
  | ExpressionLeaf;
