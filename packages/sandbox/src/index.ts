export * from './api.ts';
export { CodeError, type CodeErrorCode, ExpressionError } from './errors.ts';
export { createSandbox } from './sandbox.ts';
