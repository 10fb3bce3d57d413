import { isJsonObject, type JsonObject, type JsonValue, NodeOperationError } from '@sluice/node-sdk';
import { stringOf } from '@sluice/nodes-base/node-tools';

/** Operators in the spelling of GraphQL, by their names in lower case. */
const operators = new Map(
  [
    'Equal',
    'NotEqual',
    'Like',
    'ContainsAny',
    'ContainsAll',
    'GreaterThan',
    'GreaterThanEqual',
    'LessThan',
    'LessThanEqual',
    'IsNull',
  ].map((name) => [name.toLowerCase(), name]),
);
/** Members with the value of a condition, and their names in GraphQL. */
const values: Readonly<Record<string, string>> = {
  valueString: 'valueText',
  valueText: 'valueText',
  valueTextArray: 'valueText',
  valueNumber: 'valueNumber',
  valueInt: 'valueInt',
  valueBoolean: 'valueBoolean',
  valueDate: 'valueDate',
};

/**
 * A filter as a GraphQL value; empty: none. `AND` or `OR` has conditions in the form of Weaviate;
 * other members are metadata that documents must have. JSON of a string, a number, or a list of
 * them is also GraphQL, so no text becomes a part of the query.
 */
export function whereOf(filter: JsonObject, itemIndex: number): string {
  for (const operator of ['AND', 'OR'])
    for (const name of [operator, operator.toLowerCase()]) {
      const conditions = filter[name];
      if (Array.isArray(conditions))
        return joined(
          operator === 'AND' ? 'And' : 'Or',
          conditions.map((one) => conditionOf(one, itemIndex)),
        );
    }
  const equal = Object.entries(filter).map(([name, value]) => {
    const member = typeof value === 'boolean' ? 'valueBoolean' : typeof value === 'number' ? 'valueNumber' : 'valueText';
    return written([name], 'Equal', member, member === 'valueText' ? stringOf(value) : value);
  });
  return joined('And', equal);
}

function joined(operator: 'And' | 'Or', operands: readonly string[]): string {
  if (operands.length < 2) return operands[0] ?? '';
  return `{ operator: ${operator}, operands: [${operands.join(', ')}] }`;
}

function conditionOf(condition: JsonValue, itemIndex: number): string {
  const { path, operator, ...rest } = isJsonObject(condition) ? condition : {};
  const name = operators.get(stringOf(operator).toLowerCase());
  const [member, value] = Object.entries(rest).find(([one]) => Object.hasOwn(values, one)) ?? [];
  const names = (Array.isArray(path) ? path : [path]).filter((one) => typeof one === 'string');
  if (name !== undefined && member !== undefined && value !== undefined && isPlain(value) && names.length > 0)
    return written(names, name, values[member] ?? '', value);
  throw new NodeOperationError('a search filter has no path, no known operator, or no value', {
    itemIndex,
    description: 'Write conditions as {"path": ["kind"], "operator": "Equal", "valueString": "x"}',
  });
}

const isPlain = (value: JsonValue): boolean =>
  Array.isArray(value) ? value.every((one) => typeof one === 'string' || typeof one === 'number') : typeof value !== 'object';

function written(path: readonly string[], operator: string, member: string, value: JsonValue): string {
  return `{ path: ${JSON.stringify(path)}, operator: ${operator}, ${member}: ${JSON.stringify(value)} }`;
}
