import type { JsonValue } from '@sluice/domain';
import type { OperatorExpression } from './operator-expression.ts';
import type { PlainExpression } from './plain-expression.ts';

/** A piece of a parameter string, ready to evaluate in the host. */
export type HostPart<Expression> = { text: string } | { expression: Expression };

/** A parameter string for the guest which the host may be able to evaluate. */
export interface HostLeaf {
  parts: readonly HostPart<OperatorExpression>[];
  /** The whole string is one `{{ }}`: its value keeps its type. */
  whole: boolean;
}

interface Leaf {
  /** Dotted path of the parameter. */
  path: string;
}

/** A parameter string that is evaluated in the host. */
export interface PlainLeaf extends Leaf {
  kind: 'plain';
  parts: readonly HostPart<PlainExpression>[];
  /** The whole string is one `{{ }}`: its value keeps its type. */
  whole: boolean;
}

/** A parameter string that the guest evaluates: its place among the leaves of the batch. */
export interface GuestLeafPlace extends Leaf {
  kind: 'guest';
  leafIndex: number;
}

/** A parameter string that is refused as it stands. */
export interface RefusedLeaf extends Leaf {
  kind: 'refused';
  message: string;
}

export type ExpressionLeaf = PlainLeaf | GuestLeafPlace | RefusedLeaf;

export interface StaticTree {
  kind: 'static';
  value: JsonValue;
}

/** A parameter tree in which everything without expressions is one shared value. */
export type ParameterTree =
  | StaticTree
  | { kind: 'object'; entries: ReadonlyMap<string, ParameterTree> }
  | { kind: 'array'; elements: readonly ParameterTree[] }
  | ExpressionLeaf;
