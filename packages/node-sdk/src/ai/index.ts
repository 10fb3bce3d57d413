export * from './capabilities.ts';
export type * from './language-model.ts';
export * from './messages.ts';
export * from './model-error.ts';
