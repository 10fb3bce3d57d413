import {
  type ExecuteContext,
  isJsonObject,
  isOtherOperation,
  type JsonObject,
  type JsonValue,
  NodeOperationError,
  type OperandType,
  operandTypes,
  ownProperty,
} from '@sluice/node-sdk';
import { stringOf } from '../coerced-text.ts';
import { hasExpression } from '../has-expression.ts';
import { booleanParameter, choiceParameter, listParameter, numberParameter, requireGroup } from '../parameters.ts';
import { DateReader } from '../parse-date.ts';
import { RegexCache, type RegexTest } from '../user-regex.ts';
import { convertOperand, type OperandRules } from './convert-operand.ts';
import { findOperator, neverMet, type Operator } from './operators.ts';

/** Option values for a filter that stores no options. */
interface FilterDefaults {
  caseSensitive: boolean;
  typeValidation: 'strict' | 'loose';
}

/**
 * Reads the node's own options, for conditions that store no options. `looseFrom`: the first
 * version with the type option at the top level.
 */
export function filterDefaults(context: ExecuteContext, itemIndex: number, looseFrom: number): FilterDefaults {
  const loose = context.typeVersion < looseFrom ? 'options.looseTypeValidation' : 'looseTypeValidation';
  return {
    caseSensitive: !booleanParameter(context, 'options.ignoreCase', itemIndex, false),
    typeValidation: booleanParameter(context, loose, itemIndex, false) ? 'loose' : 'strict',
  };
}

interface FilterRules extends OperandRules {
  caseSensitive: boolean;
  regex(source: string, where: string): RegexTest;
  /** Adds a hint to the node run, once. */
  warn(message: string): void;
}

/**
 * Matches items against a parameter of type `filter`: `{ options, conditions: [{ leftValue,
 * rightValue, operator }], combinator }`. Each node run uses one filter: it caches compiled
 * patterns and dates. `matches` throws a `NodeOperationError` that contains the condition if an
 * operation is unknown or an operand has the wrong type. An operation of another type is never met,
 * and adds a hint to the run.
 */
export class Filter {
  readonly #context: ExecuteContext;
  readonly #path: string;
  readonly #patterns = new RegexCache();
  readonly #dates: DateReader;
  readonly #warnings = new Set<string>();
  /** Results by default options, if the conditions are the same for all items. */
  readonly #results: (boolean | undefined)[] | undefined;

  constructor(context: ExecuteContext, path: string) {
    this.#context = context;
    this.#path = path;
    this.#dates = new DateReader(context.workflow.timezone);
    if (isConstant(context, path)) this.#results = [];
  }

  matches(itemIndex: number, defaults: FilterDefaults): boolean {
    if (!this.#results) return this.#evaluate(itemIndex, defaults);
    const place = (defaults.caseSensitive ? 1 : 0) + (defaults.typeValidation === 'strict' ? 2 : 0);
    this.#results[place] ??= this.#evaluate(itemIndex, defaults);
    return this.#results[place];
  }

  #evaluate(itemIndex: number, defaults: FilterDefaults): boolean {
    const [group = this.#path] = this.#path.split('.');
    requireGroup(this.#context, group, itemIndex);
    const rules = this.#rules(itemIndex, defaults);
    const conditions = listParameter(this.#context, `${this.#path}.conditions`, itemIndex);
    const test = (condition: JsonObject, index: number) => matchesCondition(condition, index, rules);
    const combinator = choiceParameter(this.#context, `${this.#path}.combinator`, itemIndex, ['and', 'or'], 'and');
    return combinator === 'and' ? conditions.every(test) : conditions.some(test);
  }

  #rules(itemIndex: number, defaults: FilterDefaults): FilterRules {
    const context = this.#context;
    const options = `${this.#path}.options`;
    const caseSensitive = booleanParameter(context, `${options}.caseSensitive`, itemIndex, defaults.caseSensitive);
    const validation = choiceParameter(
      context,
      `${options}.typeValidation`,
      itemIndex,
      ['strict', 'loose'],
      defaults.typeValidation,
    );
    return {
      caseSensitive,
      strict: validation === 'strict',
      version: numberParameter(context, `${options}.version`, itemIndex, 1),
      dates: this.#dates,
      regex: (source, where) => this.#patterns.get(source, where, !caseSensitive),
      warn: (message) => this.#warn(message),
    };
  }

  #warn(message: string): void {
    if (this.#warnings.has(message)) return;
    this.#warnings.add(message);
    this.#context.addHints?.({ message, type: 'warning' });
  }
}

/** Whether the conditions are written without expressions. */
function isConstant(context: ExecuteContext, path: string): boolean {
  const member = (value: JsonValue | undefined, key: string) =>
    typeof value === 'object' && value !== null ? ownProperty(value as JsonObject, key) : undefined;
  const written = path.split('.').reduce<JsonValue | undefined>(member, context.node.parameters);
  return isJsonObject(written) && !hasExpression(written);
}

function matchesCondition(condition: JsonObject, index: number, rules: FilterRules): boolean {
  const where = `condition ${index + 1}`;
  const { type, operator } = readOperator(condition['operator'], where, rules);
  const value = condition['leftValue'];
  const left = type === 'any' ? value : convertOperand(value, type, rules, `the left value of ${where}`);
  const right = convertRight(condition['rightValue'], operator, rules, where);
  return operator.test({ left, right, caseSensitive: rules.caseSensitive, regex: (source) => rules.regex(source, where) });
}

function convertRight(
  value: JsonValue | undefined,
  { right }: Operator,
  rules: FilterRules,
  where: string,
): JsonValue | undefined {
  if (right === 'none') return undefined;
  return right === 'any' ? value : convertOperand(value, right, rules, `the right value of ${where}`);
}

interface TypedOperator {
  type: OperandType | 'any';
  operator: Operator;
}

function readOperator(value: JsonValue | undefined, where: string, rules: FilterRules): TypedOperator {
  const { type = 'any', operation, singleValue } = isJsonObject(value) ? value : {};
  const operandType = type === 'any' ? type : operandTypes.find((candidate) => candidate === type);
  const name = stringOf(operation);
  if (operandType) {
    // Values of any type support the operations of objects: existence and emptiness.
    const operator = findOperator(operandType === 'any' ? 'object' : operandType, name);
    if (operator) return { type: operandType, operator };
  }
  if (!operandType || !isOtherOperation(name)) throw unknownOperator(where, { type, operation });
  rules.warn(`${where} is never met: the type "${operandType}" has no operation "${name}"`);
  return { type: operandType, operator: neverMet(singleValue === true ? 'none' : operandType) };
}

function unknownOperator(where: string, operator: object): NodeOperationError {
  return new NodeOperationError(`${where} has an unknown operator: ${JSON.stringify(operator)}`, {
    description: 'Choose the operator again; each type has its own operations',
  });
}
