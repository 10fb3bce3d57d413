/**
 * The rules for showing parameters in forms and for editing expressions. Editors in a browser use
 * them, so nothing here depends on Node.js.
 */

export { parseExactJson } from '@sluice/domain';
export { extensionNames, sourceRanges } from '@sluice/expressions/editing';
export { toolProperties } from './ai/tool-properties.ts';
export type { NodeProperty, NodePropertyGroup, NodePropertyOption } from './description.ts';
export { type DisplayScope, isDisplayed } from './parameters/display-options.ts';
export { assignmentTypes, filterOperations, type OperandType, operandTypes } from './parameters/filter-operations.ts';
export { withDefaults } from './parameters/with-defaults.ts';
