/** Operand types of a condition. */
export const operandTypes = ['string', 'number', 'boolean', 'dateTime', 'array', 'object'] as const;
export type OperandType = (typeof operandTypes)[number];

const common = ['exists', 'notExists', 'empty', 'notEmpty'] as const;

/** Operand type → operations that a condition of a `filter` parameter can have. */
export const filterOperations: Readonly<Record<OperandType, readonly string[]>> = {
  string: [
    ...common,
    'equals',
    'notEquals',
    'contains',
    'notContains',
    'startsWith',
    'notStartsWith',
    'endsWith',
    'notEndsWith',
    'regex',
    'notRegex',
  ],
  number: [...common, 'equals', 'notEquals', 'gt', 'lt', 'gte', 'lte'],
  boolean: [...common, 'true', 'false', 'equals', 'notEquals'],
  dateTime: [...common, 'equals', 'notEquals', 'after', 'before', 'afterOrEquals', 'beforeOrEquals'],
  array: [
    ...common,
    'contains',
    'notContains',
    'lengthEquals',
    'lengthNotEquals',
    'lengthGt',
    'lengthLt',
    'lengthGte',
    'lengthLte',
  ],
  object: common,
};

/** Operations of the first versions' conditions that have other names in a `filter` parameter. */
const earlierOperations = ['equal', 'notEqual', 'smaller', 'smallerEqual', 'larger', 'largerEqual', 'isEmpty', 'isNotEmpty'];

const otherOperations: ReadonlySet<string> = new Set([...earlierOperations, ...Object.values(filterOperations).flat()]);

/**
 * Whether an unknown operation belongs to another operand type or to the first versions. Workflow
 * files contain such conditions; in their format, no value meets them.
 */
export function isOtherOperation(operation: string): boolean {
  return otherOperations.has(operation);
}

/** Types of a field in an `assignmentCollection`. */
export const assignmentTypes = ['string', 'number', 'boolean', 'array', 'object'] as const;
export type AssignmentType = (typeof assignmentTypes)[number];

/** A type that workflow files contain: the field keeps its value as it is. */
export const unconvertedType = 'null';
