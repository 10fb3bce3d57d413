export * from './capabilities.ts';
export { fromAiSchema } from './from-ai.ts';
export type * from './language-model.ts';
export * from './messages.ts';
export * from './model-error.ts';
export { usageIn } from './usage-in.ts';
