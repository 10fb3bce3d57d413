export { BeyondHost, HostBudget, type HostLimits } from './budget.ts';
export { Evaluator, jsonNumber } from './evaluator.ts';
export type { HostExpression, HostPart } from './expression.ts';
export { extensionNames } from './extension-names.ts';
export { type Convert, convertArguments, HostLanguage } from './host-language.ts';
export { maxSourceLength, maxSourcesLength } from './limits.ts';
export { parseTemplate, type TemplatePart } from './template.ts';
export { TemplateError } from './template-error.ts';
