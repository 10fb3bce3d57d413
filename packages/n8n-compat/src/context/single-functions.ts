import { type ExecuteParts, executeFunctions } from './execute-functions.ts';
import type { ParameterOptions } from './node-parameters.ts';

/** The `this` of a declarative type's functions: the `this` of `execute`, for one item. */
export function singleFunctions(parts: ExecuteParts, itemIndex: number) {
  const all = executeFunctions(parts);
  const { helpers } = all;
  return {
    ...all,
    getItemIndex: () => itemIndex,
    getInputData: (input = 0) => all.getInputData(input)[itemIndex],
    getNodeParameter: (name: string, fallback?: unknown, options?: ParameterOptions) =>
      all.getNodeParameter(name, itemIndex, fallback, options),
    getCredentials: (type: string) => all.getCredentials(type, itemIndex),
    evaluateExpression: (text: string) => all.evaluateExpression(text, itemIndex),
    getWorkflowDataProxy: () => all.getWorkflowDataProxy(itemIndex),
    helpers: {
      ...helpers,
      assertBinaryData: (property: string) => helpers.assertBinaryData(itemIndex, property),
      getBinaryDataBuffer: (property: string, input = 0) => helpers.getBinaryDataBuffer(itemIndex, property, input),
    },
  };
}
