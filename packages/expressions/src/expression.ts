export type UnaryOperator = '!' | '-' | '+';
export type BinaryOperator = '===' | '!==' | '==' | '!=' | '<' | '<=' | '>' | '>=' | '+' | '-' | '*' | '/' | '%';
export type LogicalOperator = '&&' | '||' | '??';

export type Primitive = string | number | boolean | null | undefined;

/**
 * Literals and reads joined by operators. `Read` is a language's read: a path into a scope, a
 * member, or a call.
 */
export type HostExpression<Read> =
  | { kind: 'literal'; value: Primitive }
  | { kind: 'read'; read: Read }
  | { kind: 'unary'; operator: UnaryOperator; operand: HostExpression<Read> }
  | { kind: 'binary'; operator: BinaryOperator; left: HostExpression<Read>; right: HostExpression<Read> }
  | { kind: 'logical'; operator: LogicalOperator; left: HostExpression<Read>; right: HostExpression<Read> }
  | { kind: 'conditional'; test: HostExpression<Read>; yes: HostExpression<Read>; no: HostExpression<Read> }
  | { kind: 'object'; members: readonly { key: string; value: HostExpression<Read> }[] }
  | { kind: 'array'; elements: readonly HostExpression<Read>[] }
  /** A template literal with alternating strings and expressions. */
  | { kind: 'text'; pieces: readonly HostExpression<Read>[] };

/** A part of a template, ready for evaluation in the host. */
export type HostPart<Read> = { text: string } | { expression: HostExpression<Read> };
