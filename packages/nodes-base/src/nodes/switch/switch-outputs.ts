import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from '@sluice/node-sdk';

/** More than any editor can show; a larger number is a mistake or an attack on the memory. */
const maxOutputs = 1_000;
const defaultOutputs = 4;

/**
 * Number of a switch's outputs, from its unresolved parameters. An expression is treated as a
 * missing number.
 */
export function switchOutputCount(parameters: JsonObject, typeVersion: number): number {
  if (typeVersion < 2) return defaultOutputs;
  if (ownProperty(parameters, 'mode') === 'expression') {
    return outputNumber(ownProperty(parameters, typeVersion < 3 ? 'outputsAmount' : 'numberOutputs'));
  }
  const rules = switchRuleCount(parameters, typeVersion);
  return hasExtraOutput(parameters, typeVersion) ? rules + 1 : rules;
}

function outputNumber(value: JsonValue | undefined): number {
  const number = Number(value);
  return Number.isInteger(number) && number >= 1 && number <= maxOutputs ? number : defaultOutputs;
}

/** Number of a switch's rules, from its unresolved parameters. */
export function switchRuleCount(parameters: JsonObject, typeVersion: number): number {
  const rules = ownProperty(parameters, 'rules');
  const list = isJsonObject(rules) ? ownProperty(rules, typeVersion < 3 ? 'rules' : 'values') : undefined;
  return Array.isArray(list) ? Math.min(list.length, maxOutputs) : 0;
}

function hasExtraOutput(parameters: JsonObject, typeVersion: number): boolean {
  const options = ownProperty(parameters, 'options');
  return typeVersion >= 3 && isJsonObject(options) && ownProperty(options, 'fallbackOutput') === 'extra';
}
